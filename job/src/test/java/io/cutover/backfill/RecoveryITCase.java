package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.backfill.LineageCopyITCase.Reshards;
import io.cutover.source.LineageOutput;
import io.cutover.source.LineageOutput.ShardEnded;
import io.cutover.source.LineageOutput.SubtaskDone;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy that fails in the middle, at any moment, comes out exact and in order. */
class RecoveryITCase {

  private static final int PARTITIONS = 4;
  private static final int SHARDS = 8;
  private static final int TASK_MANAGERS = 2;

  /** Kinesis records in the root shards; the stream holds about four times as many user records. */
  private static final int ROOT_RECORDS = 600;

  private static Cluster cluster;

  /** A lost task manager keeps its number. */
  private static int nextTaskManager;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(TASK_MANAGERS, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void failuresAtRandomMomentsWithFewerSubtasksThanShardsLoseAndDoubleNothing(int parallelism)
      throws Exception {
    try (CopyRig rig = rig(SHARDS)) {
      Instant t = write(rig);
      int failures = 4;
      Queue<Long> moments = randomMoments(rig, new Random(parallelism), failures, 0.9);
      AtomicLong records = new AtomicLong();

      cluster.run(
          rig.graph(
              t,
              parallelism,
              Sabotage.behindCommit(
                  new Sabotage() {
                    @Override
                    public void record(LineageOutput output, int subtask) {
                      long nth = records.incrementAndGet();
                      Long moment = moments.peek();
                      if (moment != null && nth >= moment && moments.remove(moment)) {
                        throw Sabotage.failure("at record " + nth);
                      }
                    }
                  })));

      assertThat(moments).as("failures that did not come about").isEmpty();
      assertExact(rig, t);
    }
  }

  @Test
  void lostTaskManagersAtRandomMomentsLoseAndDoubleNothing() throws Exception {
    try (CopyRig rig = rig(SHARDS)) {
      Instant t = write(rig);
      AtomicLong records = new AtomicLong();

      JobID job =
          cluster.submit(
              rig.graph(
                  t,
                  3,
                  Sabotage.behindCommit(
                      new Sabotage() {
                        @Override
                        public void record(LineageOutput output, int subtask) {
                          records.incrementAndGet();
                        }
                      })));
      for (long moment : randomMoments(rig, new Random(11), 2, 0.6)) {
        await().atMost(Duration.ofMinutes(1)).until(() -> records.get() >= moment);
        assertThat(cluster.mini().getJobStatus(job).get()).isEqualTo(JobStatus.RUNNING);
        cluster.mini().terminateTaskManager(nextTaskManager++).get(60, TimeUnit.SECONDS);
        cluster.mini().startTaskManager();
      }
      cluster.await(job).toJobExecutionResult(getClass().getClassLoader());

      assertExact(rig, t);
    }
  }

  /** When the job fails, seen from what a subtask has just emitted. */
  enum Moment {
    /** The sink has it; nobody else knows yet. */
    EMITTED,
    /** The enumerator knows, no checkpoint does: the snapshot that would be the first fails. */
    SNAPSHOT,
    /** A completed checkpoint holds it; the transaction is not committed, no child is released. */
    BEFORE_COMMIT,
    /** The transaction is committed; the reader has not yet told the enumerator. */
    BEHIND_COMMIT
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void failureBehindTheEndOfEachShardLosesNoChildAndKeepsTheOrder(Moment moment) throws Exception {
    try (CopyRig rig = rig(2)) {
      Instant t = write(rig);
      FailsBehind ends = new FailsBehind(ShardEnded.class, moment);

      cluster.run(rig.graph(t, 2, ends.tap()));

      // How many depends on how many ends one checkpoint holds: those fail together.
      assertThat(ends.failures).hasPositiveValue();
      assertExact(rig, t);
    }
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void failureWhenEveryShardIsDoneEndsInACompleteReport(Moment moment) throws Exception {
    try (CopyRig rig = rig(2)) {
      Instant t = write(rig);
      FailsBehind done = new FailsBehind(SubtaskDone.class, moment);

      cluster.run(rig.graph(t, 2, done.tap()));

      assertThat(done.failures).hasPositiveValue();
      assertExact(rig, t);
    }
  }

  /** Fails once behind each of the source's words of a kind, at the moment. */
  private static final class FailsBehind implements Sabotage {
    private final Class<? extends LineageOutput> kind;
    private final Moment moment;
    private final AtomicInteger failures = new AtomicInteger();
    private final Set<String> failedBehind = ConcurrentHashMap.newKeySet();
    private final Set<Integer> emitted = ConcurrentHashMap.newKeySet();
    private final Set<Integer> held = ConcurrentHashMap.newKeySet();

    FailsBehind(Class<? extends LineageOutput> kind, Moment moment) {
      this.kind = kind;
      this.moment = moment;
    }

    Consumer<DataStream<LineageOutput>> tap() {
      return moment == Moment.BEFORE_COMMIT
          ? Sabotage.beforeCommit(this)
          : Sabotage.behindCommit(this);
    }

    @Override
    public synchronized void record(LineageOutput output, int subtask) {
      if (kind.isInstance(output) && failedBehind.add(name(output))) {
        emitted.add(subtask);
        strike(Moment.EMITTED, true);
      }
    }

    private static String name(LineageOutput output) {
      return output instanceof ShardEnded ended ? ended.ledger().shard().id() : output.toString();
    }

    @Override
    public synchronized void snapshot(long checkpoint, int subtask) {
      if (emitted.contains(subtask)) {
        held.add(subtask);
        strike(Moment.SNAPSHOT, true);
      }
    }

    @Override
    public synchronized void completed(long checkpoint, int subtask) {
      strike(moment, held.contains(subtask));
    }

    private void strike(Moment now, boolean armed) {
      if (now == moment && armed) {
        failures.incrementAndGet();
        emitted.clear();
        held.clear();
        throw Sabotage.failure(moment + " behind " + kind.getSimpleName());
      }
    }
  }

  /** Paced, so that a copy takes several checkpoints. */
  private CopyRig rig(int shards) {
    return new CopyRig(dir, shards, PARTITIONS)
        .set("source.shard.get-records.max-record-count", "20")
        .set("source.shard.get-records.max-calls-per-second", "20");
  }

  private static Instant write(CopyRig rig) {
    Instant t =
        rig.kinesis().clock().instant().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    new Reshards(rig.producer(), t, ROOT_RECORDS).write();
    return t;
  }

  /** Numbers of records after the start, within a share of all; what is read again counts too. */
  private static Queue<Long> randomMoments(CopyRig rig, Random random, int count, double share) {
    return random
        .longs(count, 1, (long) (rig.producer().written().size() * share))
        .sorted()
        .boxed()
        .collect(Collectors.toCollection(ConcurrentLinkedQueue::new));
  }

  private static void assertExact(CopyRig rig, Instant t) {
    rig.assertExact(t);
    ReportOracle.assertComplete(rig.report(), rig.producer(), t);
  }
}
