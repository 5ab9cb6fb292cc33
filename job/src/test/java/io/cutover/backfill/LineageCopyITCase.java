package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.KplBlob;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.rig.Producer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole lineage of a resharded stream, against a real broker. */
class LineageCopyITCase {

  private static final int PARTITIONS = 4;

  private static Cluster cluster;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(2, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @Test
  void streamReshardedThreeTimesIsCopiedOnceAndInOrder() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, PARTITIONS)) {
      Instant t =
          rig.kinesis().clock().instant().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
      new Reshards(rig.producer(), t, 3000).write();

      cluster.run(rig.graph(t, 3));

      rig.assertExact(t);
      assertThat(rig.report().path("totals").path("records").asLong())
          .isEqualTo(rig.contents().size());
    }
  }

  /** Split, merge, split of a child, over a week, with all that the issue names. */
  record Reshards(Producer producer, Instant t, int records) {

    void write() {
      Random random = new Random(7);
      Instant start = t.minus(Duration.ofDays(7));
      List<String> roots = producer.stream().openShards().stream().map(EmulatedShard::id).toList();
      fill(roots, start, Duration.ofDays(3), records, random);
      Instant first = start.plus(Duration.ofDays(3));
      List<EmulatedShard> children = producer.stream().split(roots.get(0), first);
      fill(ids(children), first, Duration.ofDays(2), records / 3, random);
      Instant second = start.plus(Duration.ofDays(5));
      EmulatedShard merged = producer.stream().merge(children.get(1).id(), roots.get(1), second);
      fill(
          List.of(merged.id(), children.get(0).id()),
          second,
          Duration.ofDays(1),
          records / 6,
          random);
      Instant third = start.plus(Duration.ofDays(6));
      List<EmulatedShard> last = producer.stream().split(merged.id(), third);
      fill(ids(last), third, Duration.ofDays(1), records / 6, random);
      // From T on: skipped, some of it between records that are copied.
      fill(ids(last), t, Duration.ofMinutes(10), 50, random);
    }

    private static List<String> ids(List<EmulatedShard> shards) {
      return shards.stream().map(EmulatedShard::id).toList();
    }

    private void fill(List<String> shards, Instant from, Duration span, int count, Random random) {
      for (int i = 0; i < count; i++) {
        String shard = shards.get(random.nextInt(shards.size()));
        long jitter = random.nextInt(600_000) - 300_000L; // arrival is not monotonic
        Instant arrival =
            from.plusMillis(Math.max(0, span.toMillis() * i / count + jitter))
                .truncatedTo(ChronoUnit.MILLIS);
        String key = "customer-" + random.nextInt(200);
        if (i % 10 == 0) {
          List<KplBlob.Member> members =
              IntStream.range(0, 1 + random.nextInt(20))
                  .mapToObj(
                      m ->
                          new KplBlob.Member(
                              key + "-" + m,
                              m % 3 == 0 ? Optional.of("17") : Optional.empty(),
                              payload(random)))
                  .toList();
          producer.aggregate(shard, members, arrival);
        } else {
          producer.put(shard, Optional.of(key), payload(random), arrival);
        }
      }
    }

    private static byte[] payload(Random random) {
      byte[] bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
      return bytes;
    }
  }
}
