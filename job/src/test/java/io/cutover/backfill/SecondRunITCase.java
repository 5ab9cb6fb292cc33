package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.Reason;
import io.cutover.kafka.TransactionalIds;
import io.cutover.local.kinesis.Faults.Fault;
import io.cutover.pin.Pin;
import io.cutover.source.LineageOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a second run may do while a first one is on, or after it was lost. */
class SecondRunITCase {

  @TempDir private Path dir;

  private Cluster cluster;
  private CopyRig rig;
  private Instant t;
  private final AtomicLong records = new AtomicLong();

  @BeforeEach
  void fill() {
    cluster = new Cluster(2, 2);
    rig =
        new CopyRig(dir, 1, 2)
            .set("source.shard.get-records.max-record-count", "10")
            .set("source.shard.discovery.interval", "1 s");
    t = rig.now().minus(Duration.ofMinutes(5));
    String shard = rig.stream().shards().get(0).id();
    rig.producer().fill(shard, 200, t.minusSeconds(600), Duration.ofSeconds(1));
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    rig.close();
  }

  private JobGraph graph() {
    records.set(0);
    return rig.graph(
        t,
        1,
        Sabotage.behindCommit(
            new Sabotage() {
              @Override
              public void record(LineageOutput output, int subtask) {
                records.incrementAndGet();
              }
            }));
  }

  /** Nothing can be read: there are neither records nor transactions to know the first run by. */
  private Fault holdUp() {
    return rig.kinesis().faults().on("GetRecords").throttle();
  }

  private void awaitRunning(JobID job) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Files.exists(dir.resolve(RunClaim.FILE)) && cluster.running(job));
  }

  @Test
  void secondRunBesideOneThatHasNotWrittenYetIsRefusedAndTheFirstIsExact() throws Exception {
    Fault nothing = holdUp();
    JobID first = cluster.submit(graph());
    awaitRunning(first);

    assertThat(cluster.runToRefusal(rig.graph(t, 1)).reason()).isEqualTo(Reason.ALREADY_RUNNING);

    nothing.remove();
    cluster.await(first).toJobExecutionResult(getClass().getClassLoader());
    rig.assertExact(t);
    ReportOracle.assertComplete(rig.report(), rig.producer(), t);
    assertThat(dir.resolve(RunClaim.FILE)).doesNotExist();
  }

  @Test
  void savepointThatIsTakenUpTwiceMakesOneCopy() throws Exception {
    Fault slow = rig.kinesis().faults().on("GetRecords").delay(Duration.ofMillis(300));
    JobID first = cluster.submit(graph());
    await().atMost(Duration.ofMinutes(1)).until(() -> records.get() > 30);
    String savepoint =
        cluster
            .mini()
            .stopWithSavepoint(
                first, dir.resolve("sp").toUri().toString(), false, SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    cluster.await(first);
    slow.remove();
    Fault nothing = holdUp();
    JobID second = cluster.submit(from(savepoint));
    awaitRunning(second);

    assertThat(cluster.runToRefusal(from(savepoint)).reason()).isEqualTo(Reason.ALREADY_RUNNING);

    nothing.remove();
    cluster.await(second).toJobExecutionResult(getClass().getClassLoader());
    rig.assertExact(t);
  }

  private JobGraph from(String savepoint) {
    JobGraph graph = graph();
    graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
    return graph;
  }

  @Test
  void runThatWasCancelledBeforeItWroteStandsInNobodysWay() throws Exception {
    Fault nothing = holdUp();
    JobID first = cluster.submit(graph());
    awaitRunning(first);
    cluster.mini().cancelJob(first).get(60, TimeUnit.SECONDS);
    cluster.await(first);
    nothing.remove();

    cluster.run(rig.graph(t, 1));

    rig.assertExact(t);
  }

  /**
   * A JobManager that is lost before the first checkpoint begins the same run again elsewhere: a
   * transaction that is open under its prefix is its own, and no reason to refuse.
   */
  @Test
  void sameRunBeginsAgainBesideItsOwnOpenTransaction() throws Exception {
    rig.withoutClient();
    // The first call is the preflight's.
    Fault nothing = rig.kinesis().faults().on("GetRecords").after(1).throttle();
    JobGraph graph = graph();
    // As a JobManager finds it in its store.
    JobGraph stored = InstantiationUtil.clone(graph);
    awaitRunning(cluster.submit(graph));
    cluster.close();
    nothing.remove();
    Pin pin = rig.job(t).terms().pin();
    String id = TransactionalIds.prefix(pin.id(), rig.topic()) + "-0-1";
    try (KafkaProducer<byte[], byte[]> left = rig.client(Optional.of(id))) {
      left.initTransactions();
      left.beginTransaction();
      left.send(new ProducerRecord<>(rig.topic(), new byte[] {1})).get(30, TimeUnit.SECONDS);
      cluster = new Cluster(2, 2);
      assertThat(cluster.runToRefusal(rig.graph(t, 1)))
          .hasMessageContaining("copy-transactions: " + id);

      cluster.run(stored);
    }

    rig.assertExact(t);
    ReportOracle.assertComplete(rig.report(), rig.producer(), t);
  }
}
