package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.Faults.Fault;
import io.cutover.rig.Producer;
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
  private static final int RECORDS = 20;
  private static final int KEYS = 8;
  private static final int BATCH_BYTES = 16_384;
  private static final int PARENT_BYTES = 100;
  private static final int CHILD_BYTES = 2 * BATCH_BYTES;

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
  void mergedShardIsNotReadBeforeItsParentsOnTwoSubtasksAreInTheLog() throws Exception {
    try (CopyRig rig = rig()) {
      Instant t = t(rig);
      List<EmulatedShard> parents = rig.stream().openShards();
      parents.forEach(parent -> fill(rig.producer(), parent, PARENT_BYTES, t));
      EmulatedShard child = rig.stream().merge(parents.get(0).id(), parents.get(1).id());
      fill(rig.producer(), child, CHILD_BYTES, t);

      Map<String, Integer> subtasks = copy(rig, t, parents);

      assertThat(subtasks.get(parents.get(0).id()))
          .as("the parents are read by two subtasks, or this shows nothing")
          .isNotEqualTo(subtasks.get(parents.get(1).id()));
      rig.assertExact(t);
    }
  }

  @Test
  void splitShardsChildrenAreReadAtOnceOnlyWhereItsEndIs() throws Exception {
    try (CopyRig rig = rig()) {
      Instant t = t(rig);
      EmulatedShard parent = rig.stream().openShards().get(0);
      fill(rig.producer(), parent, PARENT_BYTES, t);
      List<EmulatedShard> children = rig.stream().split(parent.id());
      fill(rig.producer(), children.get(1), CHILD_BYTES, t);

      copy(rig, t, List.of(parent));

      rig.assertExact(t);
    }
  }

  private CopyRig rig() throws Exception {
    Path client = dir.resolve("client.properties");
    Files.writeString(client, "linger.ms=60000\nbatch.size=" + BATCH_BYTES + "\n");
    return new CopyRig(dir, 2, PARTITIONS)
        .set("kafka.client.properties", client.toString())
        .set("source.shard.get-records.max-calls-per-second", "50")
        .set("backfill.checkpoint-interval", "3 s");
  }

  private static Instant t(CopyRig rig) {
    return rig.kinesis()
        .clock()
        .instant()
        .minus(Duration.ofHours(1))
        .truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * Copies, with the parents' records served when one checkpoint is over and the next is an
   * interval away.
   *
   * @return by shard, the subtask that read it
   */
  private static Map<String, Integer> copy(CopyRig rig, Instant t, List<EmulatedShard> parents)
      throws Exception {
    Map<String, Integer> subtasks = new ConcurrentHashMap<>();
    List<Fault> heldUp =
        parents.stream()
            .map(p -> rig.kinesis().faults().on("GetRecords").shard(p.id()).emptyPage())
            .toList();
    Sabotage notes =
        new Sabotage() {
          @Override
          public void record(LineageOutput output, int subtask) {
            if (output instanceof Copied copied) {
              subtasks.put(copied.record().origin().shardId(), subtask);
            }
          }

          @Override
          public void completed(long checkpoint, int subtask) {
            heldUp.forEach(Fault::remove);
          }
        };
    cluster.run(rig.graph(t, 2, Sabotage.behindCommit(notes)));
    return subtasks;
  }

  private static void fill(Producer producer, EmulatedShard shard, int bytes, Instant t) {
    Random random = new Random(shard.id().hashCode());
    for (int i = 0; i < RECORDS; i++) {
      byte[] data = new byte[bytes];
      random.nextBytes(data);
      producer.put(
          shard.id(), Optional.of("customer-" + i % KEYS), data, t.minus(Duration.ofHours(1)));
    }
  }
}
