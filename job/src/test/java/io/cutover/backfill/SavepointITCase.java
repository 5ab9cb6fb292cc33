package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.Reason;
import io.cutover.backfill.LineageCopyITCase.Reshards;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.Faults.Fault;
import io.cutover.source.LineageOutput;
import io.cutover.source.LineageOutput.ShardEnded;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that is stopped with a savepoint and taken up again, with more subtasks or fewer. */
class SavepointITCase {

  private static final int PARTITIONS = 4;
  private static final int SHARDS = 8;

  // As the reshards number them.
  private static final String SPLIT_ROOT = "shardId-000000000000";
  private static final String MERGED_ROOT = "shardId-000000000001";
  private static final String MERGED_CHILD = "shardId-000000000010";
  private static final String LAST_CHILD = "shardId-000000000012";

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
  void rescaledInMidReshardItIsExactAndReadsNoEndedShardAgain() throws Exception {
    try (CopyRig rig = rig()) {
      Instant t = write(rig);
      Ends ends = new Ends();
      Fault heldUp = holdUp(rig, MERGED_ROOT);
      String savepoint = stopAfter(SPLIT_ROOT, ends, cluster.submit(graph(rig, t, 2, ends)), false);
      Set<String> endedFirst = Set.copyOf(ends.shards);
      heldUp.remove();

      heldUp = holdUp(rig, LAST_CHILD);
      rig.kinesis().clearCalls();
      JobID wider = cluster.submit(from(savepoint, graph(rig, t, 4, ends)));
      savepoint = stopAfter(MERGED_CHILD, ends, wider, false);
      assertThat(shardsAskedFor(rig)).contains(MERGED_ROOT).doesNotContainAnyElementsOf(endedFirst);
      assertThat(rig.reportIfAny()).isEmpty();
      Set<String> endedSecond = Set.copyOf(ends.shards);
      heldUp.remove();

      rig.kinesis().clearCalls();
      cluster.run(from(savepoint, graph(rig, t, 1, ends)));

      assertThat(shardsAskedFor(rig)).contains(LAST_CHILD).doesNotContainAnyElementsOf(endedSecond);
      rig.assertExact(t);
      ReportOracle.assertComplete(rig.report(), rig.producer(), t);
    }
  }

  /**
   * Flink warns against going on from a drained savepoint, since open windows and timers have fired
   * early. Here nothing fires: the end of input says nothing but that it came too soon.
   */
  @Test
  void drainedItIsNotReportedUntilTakenUpToTheEnd() throws Exception {
    try (CopyRig rig = rig()) {
      Instant t = write(rig);
      Ends ends = new Ends();
      Fault heldUp = holdUp(rig, MERGED_ROOT);
      JobID job = cluster.submit(graph(rig, t, 2, ends));
      String savepoint = stopAfter(SPLIT_ROOT, ends, job, true);
      heldUp.remove();
      cluster.await(job).toJobExecutionResult(getClass().getClassLoader());
      assertThat(rig.reportIfAny()).isEmpty();
      assertThat(rig.contents().size()).isLessThan(ReportOracle.before(t, rig.producer()).size());

      cluster.run(from(savepoint, graph(rig, t, 2, ends)));

      rig.assertExact(t);
      ReportOracle.assertComplete(rig.report(), rig.producer(), t);
    }
  }

  @Test
  void savepointOfACopyWithOtherKeysIsRefused() throws Exception {
    try (CopyRig rig = rig()) {
      Instant t = write(rig);
      Ends ends = new Ends();
      Fault heldUp = holdUp(rig, MERGED_ROOT);
      String savepoint = stopAfter(SPLIT_ROOT, ends, cluster.submit(graph(rig, t, 2, ends)), false);
      heldUp.remove();
      rig.set("kafka.key", "none");

      assertThat(cluster.runToRefusal(from(savepoint, graph(rig, t, 2, ends))).reason())
          .isEqualTo(Reason.CHECKPOINT_OF_ANOTHER);
      assertThat(rig.reportIfAny()).isEmpty();
    }
  }

  /** Which shards were seen to end. */
  private static final class Ends implements Sabotage {
    private final Set<String> shards = ConcurrentHashMap.newKeySet();

    @Override
    public void record(LineageOutput output, int subtask) {
      if (output instanceof ShardEnded ended) {
        shards.add(ended.ledger().shard().id());
      }
    }
  }

  /** The shard cannot end. */
  private static Fault holdUp(CopyRig rig, String shard) {
    return rig.kinesis().faults().on("GetRecords").shard(shard).after(1).throttle();
  }

  private String stopAfter(String shard, Ends ends, JobID job, boolean drain) throws Exception {
    await().atMost(Duration.ofMinutes(1)).until(() -> ends.shards.contains(shard));
    return cluster
        .mini()
        .stopWithSavepoint(
            job, dir.resolve("savepoints").toUri().toString(), drain, SavepointFormatType.CANONICAL)
        .get(60, TimeUnit.SECONDS);
  }

  private static JobGraph graph(CopyRig rig, Instant t, int parallelism, Ends ends) {
    return rig.graph(t, parallelism, Sabotage.behindCommit(ends));
  }

  private static JobGraph from(String savepoint, JobGraph graph) {
    graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
    return graph;
  }

  private static Set<String> shardsAskedFor(CopyRig rig) {
    return rig.kinesis().calls().stream()
        .filter(call -> Set.of("GetRecords", "GetShardIterator").contains(call.action()))
        .map(Call::shardId)
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  private CopyRig rig() {
    return new CopyRig(dir, SHARDS, PARTITIONS)
        .set("source.shard.get-records.max-record-count", "20");
  }

  private static Instant write(CopyRig rig) {
    Instant t =
        rig.kinesis().clock().instant().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    new Reshards(rig.producer(), t, 600).write();
    return t;
  }
}
