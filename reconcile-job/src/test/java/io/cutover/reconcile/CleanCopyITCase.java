package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.kpl.KplBlob;
import io.cutover.kpl.KplBlob.Member;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.rig.Producer;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Right copies of random streams: split and merged at random, arrivals out of order, aggregates and
 * what only looks like one, records from T on, shards without any. No false alarm, and the counts
 * of every window are the oracle's.
 */
class CleanCopyITCase {

  private static EmbeddedKafka kafka;

  @TempDir private Path dir;

  @BeforeAll
  static void startKafka() {
    kafka = TruthRig.broker();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void copyOfARandomStreamIsCleared(long seed) {
    Random random = new Random(seed);
    try (TruthRig rig = new TruthRig(kafka, dir, 1 + random.nextInt(4), 1 + random.nextInt(5))) {
      new History(rig, random).write();
      rig.stream().readStyle(style(random));
      rig.copy();
      VerdictCheck.of(rig).tells(rig.truth()).is(Verdict.CLEARED);
      if (random.nextBoolean()) {
        rig.stream().retention(Duration.ofDays(1 + random.nextInt(6)));
      }
      // The same by what the backfill witnessed, and with a part of the stream expired.
      VerdictCheck.of(rig).tells(rig.truth()).is(Verdict.CLEARED);
      VerdictCheck.of(rig, "-D", "reconcile.evidence=witness")
          .tells(rig.truth())
          .is(Verdict.CLEARED);
    }
  }

  private static ReadStyle style(Random random) {
    return random.nextBoolean() ? ReadStyle.AWS.pageRecords(1 + random.nextInt(30)) : ReadStyle.AWS;
  }

  /** A week of a stream, day by day. */
  private static final class History {
    private static final int DAYS = 7;
    private static final long MOST_DISORDER_MILLIS = Duration.ofMinutes(4).toMillis();

    private final TruthRig rig;
    private final Producer producer;
    private final Random random;

    History(TruthRig rig, Random random) {
      this.rig = rig;
      this.producer = rig.producer();
      this.random = random;
    }

    void write() {
      Instant t = rig.t();
      for (int day = DAYS; day > 0; day--) {
        Instant from = t.minus(Duration.ofDays(day));
        for (EmulatedShard shard : rig.stream().openShards()) {
          if (random.nextInt(5) > 0) {
            records(shard.id(), from, random.nextInt(25));
          }
        }
        if (day > 1) {
          reshard(from.plus(Duration.ofHours(23)));
        }
      }
      for (EmulatedShard shard : rig.stream().openShards()) {
        edge(shard.id(), t);
      }
    }

    private void records(String shard, Instant from, int count) {
      for (int i = 0; i < count; i++) {
        Instant arrival =
            from.plus(Duration.ofMinutes(40L * i))
                .plusMillis(random.nextLong(MOST_DISORDER_MILLIS));
        record(shard, arrival);
      }
    }

    private void record(String shard, Instant arrival) {
      switch (random.nextInt(8)) {
        case 0 -> producer.aggregate(shard, members(), arrival);
        case 1 -> producer.blob(shard, malformed(), arrival);
        case 2 -> producer.put(shard, Optional.of("empty"), new byte[0], arrival);
        default -> {
          byte[] data = new byte[random.nextInt(300)];
          random.nextBytes(data);
          producer.put(shard, Optional.of("key-" + random.nextInt(20)), data, arrival);
        }
      }
    }

    private byte[] malformed() {
      List<byte[]> blobs = new ArrayList<>(KplBlob.malformed().values());
      return blobs.get(random.nextInt(blobs.size()));
    }

    private List<Member> members() {
      List<Member> members = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        members.add(
            new Member(
                "member-" + random.nextInt(9),
                random.nextInt(4) == 0 ? Optional.of(Integer.toString(i)) : Optional.empty(),
                ("member " + i).getBytes(UTF_8)));
      }
      return members;
    }

    private void reshard(Instant at) {
      List<EmulatedShard> open = rig.stream().openShards();
      switch (random.nextInt(3)) {
        case 0 -> rig.stream().split(open.get(random.nextInt(open.size())).id(), at);
        case 1 -> mergeNeighbours(open, at);
        default -> {
          // A day without a reshard.
        }
      }
    }

    private void mergeNeighbours(List<EmulatedShard> open, Instant at) {
      for (EmulatedShard one : open) {
        for (EmulatedShard other : open) {
          if (one.end().add(BigInteger.ONE).equals(other.start())) {
            rig.stream().merge(one.id(), other.id(), at);
            return;
          }
        }
      }
    }

    /** Records around T, in no order. */
    private void edge(String shard, Instant t) {
      int count = random.nextInt(6);
      for (int i = 0; i < count; i++) {
        record(shard, t.plusMillis(random.nextInt(20_000) - 10_000));
      }
    }
  }
}
