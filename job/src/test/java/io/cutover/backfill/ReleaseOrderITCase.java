package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.source.LineageOutput;
import io.cutover.source.LineageOutput.Copied;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Handed to the producer is not in the log. Here each parent's records are few and small and linger
 * in the producer until a checkpoint flushes it, while each child's fill batches that are sent at
 * once: a child that was read by another subtask before that checkpoint would overtake its parent.
 */
class ReleaseOrderITCase {

  private static final int PARTITIONS = 2;
  private static final int BATCH_BYTES = 16_384;

  private static Cluster cluster;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(1, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @Test
  void childIsNotReadOnAnotherSubtaskBeforeItsParentsAreInTheLog() throws Exception {
    Path client = dir.resolve("client.properties");
    Files.writeString(client, "linger.ms=60000\nbatch.size=" + BATCH_BYTES + "\n");
    try (CopyRig rig = new CopyRig(dir, 4, PARTITIONS)) {
      rig.set("kafka.client.properties", client.toString());
      rig.set("backfill.checkpoint-interval", "2 s");
      Instant t =
          rig.kinesis().clock().instant().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
      List<EmulatedShard> roots = rig.stream().openShards();
      roots.forEach(root -> fill(rig.producer(), root, 20, 100, t));
      EmulatedShard merged = rig.stream().merge(roots.get(0).id(), roots.get(1).id());
      fill(rig.producer(), merged, 10, 2 * BATCH_BYTES, t);
      rig.stream()
          .split(roots.get(2).id())
          .forEach(child -> fill(rig.producer(), child, 10, 2 * BATCH_BYTES, t));
      Map<String, Integer> subtasks = new ConcurrentHashMap<>();

      cluster.run(
          rig.graph(
              t,
              2,
              Sabotage.behindCommit(
                  new Sabotage() {
                    @Override
                    public void record(LineageOutput output, int subtask) {
                      if (output instanceof Copied copied) {
                        subtasks.put(copied.record().origin().shardId(), subtask);
                      }
                    }
                  })));

      assertThat(subtasks.get(roots.get(0).id()))
          .as("the merged shard's parents are read by two subtasks, or this test shows nothing")
          .isNotEqualTo(subtasks.get(roots.get(1).id()));
      rig.assertExact(t);
    }
  }

  private static void fill(Producer producer, EmulatedShard shard, int count, int size, Instant t) {
    Random random = new Random(shard.id().hashCode());
    for (int i = 0; i < count; i++) {
      byte[] data = new byte[size];
      random.nextBytes(data);
      producer.put(
          shard.id(), Optional.of("customer-" + i % 8), data, t.minus(Duration.ofHours(1)));
    }
  }
}
