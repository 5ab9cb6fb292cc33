package io.cutover.reconcile.coverage;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Pins, reports and listings, their hash keys counted in eighths of all. */
final class Given {

  static final Instant T = Instant.parse("2026-03-01T12:00:00Z");
  static final Instant START = T.minus(Duration.ofHours(24));
  static final Duration SLACK = Duration.ofSeconds(60);

  private static final BigInteger EIGHTH = BigInteger.ONE.shiftLeft(125);

  private Given() {}

  /** From the one eighth (0 to 7) up to, not including, the other. */
  static HashRange eighths(int from, int to) {
    return new HashRange(
        EIGHTH.multiply(BigInteger.valueOf(from)),
        EIGHTH.multiply(BigInteger.valueOf(to)).subtract(BigInteger.ONE));
  }

  static Shard open(String id, int from, int to, String... parents) {
    return new Shard(id, List.of(parents), eighths(from, to), false);
  }

  static Shard closed(String id, int from, int to, String... parents) {
    return new Shard(id, List.of(parents), eighths(from, to), true);
  }

  static Pin pin(Collection<Shard> shards, Collection<String> openAtBoundary) {
    return pin(shards, openAtBoundary, List.of());
  }

  static Pin pin(
      Collection<Shard> shards, Collection<String> openAtBoundary, List<Pin.OldestArrival> oldest) {
    return new Pin(
        T.plusSeconds(30),
        T,
        START,
        START,
        Duration.ofHours(1),
        new Pin.PinnedStream(
            "orders",
            "arn:aws:kinesis:eu-west-1:123456789012:stream/orders",
            START.minus(Duration.ofDays(100)),
            Optional.empty(),
            Optional.empty(),
            Duration.ofHours(24),
            1024),
        new Pin.PinnedTopic("orders", "dGhlIHRvcGljJ3MgaWQ", 4),
        List.copyOf(shards),
        List.copyOf(openAtBoundary),
        oldest);
  }

  static Optional<Mark> mark(Instant arrival) {
    return Optional.of(new Mark("1", arrival.toEpochMilli()));
  }

  /** One without records. */
  static ReportedShard ended(Shard shard, EndReason stop) {
    return ended(shard, stop, Optional.empty());
  }

  /** One whose last record is known; the first of a copy is not after it. */
  static ReportedShard ended(Shard shard, EndReason stop, Optional<Mark> last) {
    boolean skipped = last.map(m -> m.arrivalMillis() >= T.toEpochMilli()).orElse(false);
    return new ReportedShard(
        shard.id(),
        shard.parents(),
        shard.range(),
        stop,
        last,
        last,
        skipped ? last : Optional.empty(),
        last.isPresent() && !skipped ? 1 : 0,
        0,
        skipped ? 1 : 0);
  }

  /** Ended by a record from T + slack on. */
  static ReportedShard met(Shard shard) {
    return ended(shard, EndReason.BOUNDARY, mark(T.plus(SLACK)));
  }

  static ReportedShard with(ReportedShard shard, EndReason stop) {
    return new ReportedShard(
        shard.id(),
        shard.parents(),
        shard.range(),
        stop,
        shard.first(),
        shard.last(),
        shard.firstSkipped(),
        shard.records(),
        shard.bytes(),
        shard.skipped());
  }

  static ReportedShard with(ReportedShard shard, List<String> parents, HashRange range) {
    return new ReportedShard(
        shard.id(),
        parents,
        range,
        shard.stop(),
        shard.first(),
        shard.last(),
        shard.firstSkipped(),
        shard.records(),
        shard.bytes(),
        shard.skipped());
  }
}
