package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.Refusal;
import io.cutover.backfill.LineageCopyITCase.Reshards;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.source.LineageOutput;
import io.cutover.source.LineageOutput.SubtaskDone;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the broker does to a copy: it aborts transactions, fences producers, and dies. */
class BrokerFailureITCase {

  private static final int PARTITIONS = 2;

  private static Cluster cluster;
  private static KafkaBroker broker;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    broker =
        KafkaBroker.builder()
            .property("transaction.abort.timed.out.transaction.cleanup.interval.ms", "200")
            .heap("512m")
            .start();
    cluster = new Cluster(1, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
    broker.close();
  }

  /**
   * Fails once, at the first completed checkpoint behind some records; sees whether it got done.
   */
  private static final class FailsAtCompletion implements Sabotage {
    private final AtomicLong records = new AtomicLong();
    private final AtomicBoolean held = new AtomicBoolean();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean cameToTheEnd = new AtomicBoolean();
    private final Runnable before;

    FailsAtCompletion(Runnable before) {
      this.before = before;
    }

    @Override
    public void record(LineageOutput output, int subtask) {
      records.incrementAndGet();
      if (output instanceof SubtaskDone) {
        cameToTheEnd.set(true);
      }
    }

    @Override
    public void snapshot(long checkpoint, int subtask) {
      held.set(records.get() >= 100);
    }

    @Override
    public void completed(long checkpoint, int subtask) {
      if (held.get() && failed.compareAndSet(false, true)) {
        before.run();
        throw Sabotage.failure("at the completion of checkpoint " + checkpoint);
      }
    }
  }

  @Test
  void transactionThatTheBrokerAbortedNeverEndsInSuccess() throws Exception {
    try (CopyRig rig = rig("transaction.timeout.ms=1500\n")) {
      Instant t = write(rig);
      FailsAtCompletion sabotage = new FailsAtCompletion(() -> {});
      JobGraph graph = rig.graph(t, 1, Sabotage.beforeCommit(sabotage));
      restartAfter(Duration.ofSeconds(4), graph);

      Throwable failure = cluster.runToFailure(graph);

      // Flink's committer let it pass, so without the settlement it had ended well here ...
      assertThat(sabotage.failed).isTrue();
      assertThat(sabotage.cameToTheEnd).isTrue();
      // ... with records missing.
      assertThat(rig.contents().size()).isLessThan(ReportOracle.before(t, rig.producer()).size());
      assertThat(ExceptionUtils.findThrowable(failure, Refusal.class))
          .hasValueSatisfying(
              lost ->
                  assertThat(lost)
                      .hasMessageStartingWith("the copy is not exact: a transaction was lost. ")
                      .hasMessageContaining("shardId-000000000000 from ")
                      .hasMessageContaining(", in the topic ")
                      .hasMessageContaining("transaction.timeout.ms"));
      assertThat(rig.reportIfAny()).isEmpty();
    }
  }

  @Test
  void transactionThatSomebodyFencedNeverEndsInSuccess() throws Exception {
    try (CopyRig rig = rig("")) {
      Instant t = write(rig);
      AtomicBoolean held = new AtomicBoolean();
      AtomicBoolean fenced = new AtomicBoolean();
      AtomicLong records = new AtomicLong();
      Sabotage sabotage =
          new Sabotage() {
            @Override
            public void record(LineageOutput output, int subtask) {
              records.incrementAndGet();
            }

            @Override
            public void snapshot(long checkpoint, int subtask) {
              held.set(records.getAndSet(0) > 0);
            }

            @Override
            public void completed(long checkpoint, int subtask) {
              if (held.get() && fenced.compareAndSet(false, true)) {
                fenceAll();
              }
            }
          };

      Throwable failure = cluster.runToFailure(rig.graph(t, 1, Sabotage.beforeCommit(sabotage)));

      assertThat(rig.contents().size()).isLessThan(ReportOracle.before(t, rig.producer()).size());
      assertThat(failure).rootCause().hasMessageContaining("[RECORDS_LOST]");
      assertThat(rig.reportIfAny()).isEmpty();
    }
  }

  @Test
  void transactionThatWasCommittedBeforeTheFailureEndsInSuccess() throws Exception {
    try (CopyRig rig = rig("")) {
      Instant t = write(rig);
      // Fenced, so that the second commit of what is committed is refused, as it can be after an
      // aborted checkpoint that used the id again.
      FailsAtCompletion sabotage = new FailsAtCompletion(BrokerFailureITCase::fenceAll);

      cluster.run(rig.graph(t, 1, Sabotage.behindCommit(sabotage)));

      assertThat(sabotage.failed).isTrue();
      rig.assertExact(t);
      ReportOracle.assertComplete(rig.report(), rig.producer(), t);
      assertThat(rig.report().at("/run/suspectCommits").asLong()).isPositive();
      assertThat(rig.report().at("/run/readBack").asText()).isEqualTo("equal");
    }
  }

  @Test
  void brokerKilledInMidCopyLosesAndDoublesNothing() throws Exception {
    try (CopyRig rig = rig("")) {
      Instant t = write(rig);
      AtomicLong records = new AtomicLong();
      JobID job =
          cluster.submit(
              rig.graph(
                  t,
                  2,
                  Sabotage.behindCommit(
                      new Sabotage() {
                        @Override
                        public void record(LineageOutput output, int subtask) {
                          records.incrementAndGet();
                        }
                      })));
      await().atMost(Duration.ofMinutes(1)).until(() -> records.get() >= 300);
      broker.kill();
      broker.restart();

      cluster.await(job).toJobExecutionResult(getClass().getClassLoader());

      rig.assertExact(t);
      ReportOracle.assertComplete(rig.report(), rig.producer(), t);
    }
  }

  private static void restartAfter(Duration delay, JobGraph graph) {
    graph
        .getJobConfiguration()
        .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, delay);
  }

  private static void fenceAll() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      List<String> ids =
          admin.listTransactions().all().get(30, TimeUnit.SECONDS).stream()
              .map(TransactionListing::transactionalId)
              .toList();
      admin.fenceProducers(ids).all().get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the producers cannot be fenced", e);
    }
  }

  private CopyRig rig(String clientProperties) throws Exception {
    Path client = dir.resolve("client.properties");
    Files.writeString(client, clientProperties);
    return new CopyRig(dir, 2, PARTITIONS, broker)
        .set("kafka.client.properties", client.toString())
        .set("source.shard.get-records.max-record-count", "20")
        .set("source.shard.get-records.max-calls-per-second", "10");
  }

  private static Instant write(CopyRig rig) {
    Instant t =
        rig.kinesis().clock().instant().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    new Reshards(rig.producer(), t, 400).write();
    return t;
  }
}
