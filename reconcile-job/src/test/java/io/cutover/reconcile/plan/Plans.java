package io.cutover.reconcile.plan;

import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.report.CopyReport;
import io.cutover.report.ExpiredUnread;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * A plan in the making: of one open shard, copied whole and not expired, until a test puts
 * something else in a part of it. Windows have an hour.
 */
public final class Plans {

  public static final Instant T = Pins.any().boundary();
  public static final Instant START = Pins.any().start();
  public static final String PIN = Pins.any().id();
  public static final String SHARD = "shardId-000000000000";

  public Pin pin = Pins.any();
  public final Configuration config = new Configuration();
  public Optional<Instant> from = Optional.empty();
  public Optional<Instant> to = Optional.empty();
  public KafkaOptions.Key key = KafkaOptions.Key.PARTITION_KEY;
  public Optional<ExpiredUnread.Span> expiredUnread = Optional.empty();
  public List<ReportedShard> reported = new ArrayList<>(List.of(copied(SHARD)));
  public List<Shard> listing = new ArrayList<>(pin.shards());
  public Duration retention = Duration.ofDays(7);
  public Instant horizon = START.minus(Duration.ofDays(6));
  public Instant readFrom = START.minus(Duration.ofMinutes(10));
  public List<Finding> findings = new ArrayList<>();

  public Plans() {
    config.set(KafkaOptions.BOOTSTRAP_SERVERS, "localhost:1");
  }

  /** What the backfill reports of a shard without a parent, of which it read no record. */
  public static ReportedShard copied(String shard) {
    return copied(shard, Optional.empty());
  }

  /** And of one that it read from this record to that. */
  public static ReportedShard copied(String shard, Mark first, Mark last) {
    ReportedShard none = copied(shard);
    return new ReportedShard(
        shard,
        none.parents(),
        none.range(),
        none.stop(),
        Optional.of(first),
        Optional.of(last),
        Optional.empty(),
        2,
        20,
        0);
  }

  private static ReportedShard copied(String shard, Optional<Mark> mark) {
    return new ReportedShard(
        shard, List.of(), HashRange.ALL, EndReason.TIP, mark, mark, mark, 0, 0, 0);
  }

  public static Shard shard(String id, String... parents) {
    return new Shard(id, List.of(parents), HashRange.ALL, false);
  }

  /** An arrival within a window, epoch milliseconds. */
  public static long in(long window) {
    return Pins.any().tallies().start(window).toEpochMilli() + 600_000;
  }

  public Plans evidence(ReconcileOptions.Evidence evidence) {
    config.set(ReconcileOptions.EVIDENCE, evidence);
    return this;
  }

  /** Lets so many records be missing or extra, however few there are. */
  public Plans tolerance(int floor) {
    config.set(ReconcileOptions.REQUIRE, ReconcileOptions.Require.TOLERANCE);
    config.set(ReconcileOptions.TOLERANCE_FLOOR, floor);
    return this;
  }

  public Plans listing(Shard... shards) {
    listing = List.of(shards);
    return this;
  }

  public Plan plan() {
    return new Plan(
        pin,
        config,
        KafkaClientProperties.load(config),
        Span.of(pin, from, to),
        new Plan.Facts(
            "5f0c9a1e",
            T.plus(Duration.ofHours(2)),
            Duration.ofMillis(812),
            new CopyReport(
                pin.id(),
                key,
                Duration.ofSeconds(60),
                "0123456789abcdef".repeat(4),
                expiredUnread,
                reported),
            listing,
            retention,
            horizon,
            horizon,
            readFrom,
            List.of(new TopicOffsets(0, 0, 1000), new TopicOffsets(1, 5, 1000)),
            findings));
  }
}
