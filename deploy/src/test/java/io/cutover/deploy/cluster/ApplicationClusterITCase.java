package io.cutover.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.deploy.Checkout;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.Faults.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both jobs in application mode, highly available: the main method runs on the JobManager, whose
 * process ends with the job. Both jars lie in one folder, as in the image.
 */
class ApplicationClusterITCase {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String BACKFILL = "io.cutover.CutoverJob";
  private static final String RECONCILE = "io.cutover.reconcile.ReconcileJob";

  /** Flink's 1443, of which a process has the last eight bits. */
  private static final int JOB_FAILED = 1443 & 0xff;

  private static KafkaBroker broker;
  private static ZooKeeper zooKeeper;
  private static FlinkCluster cluster;

  @TempDir private static Path shared;
  @TempDir private Path dir;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.builder().heap("512m").start();
    zooKeeper = new ZooKeeper(shared.resolve("zookeeper"));
    FlinkCluster.Builder builder =
        FlinkCluster.builder(shared.resolve("flink"))
            .taskManagers(1)
            // What main refuses becomes a failed job, instead of a process that is started anew.
            .set("execution.submit-failed-job-on-application-error", "true");
    zooKeeper.flinkConfig().forEach(builder::set);
    cluster = builder.application(Checkout.jobJar(), Checkout.reconcileJobJar());
  }

  @AfterAll
  static void stop() {
    cluster.close();
    zooKeeper.close();
    broker.close();
  }

  @Test
  void theExitCodeOfTheJobManagerTellsWhatCameOfTheJob() {
    try (ClusterCopy copy = copy()) {
      assertThat(run(RECONCILE, copy.line("reconcile"))).isEqualTo(JOB_FAILED);
      assertThat(cluster.jobManagerLog()).contains("[PIN_MISSING]");

      copy.pin();
      assertThat(run(BACKFILL, copy.line("backfill"))).isZero();
      copy.assertCopied();

      assertThat(run(RECONCILE, copy.line("reconcile"))).isZero();
      assertThat(copy.verdict()).isEqualTo("CLEARED");

      copy.damage();
      assertThat(run(RECONCILE, copy.line("reconcile"))).isEqualTo(JOB_FAILED);
      assertThat(copy.verdict()).isEqualTo("MISMATCH");
      assertThat(cluster.jobManagerLog()).contains("[MISMATCH]");
    }
  }

  @Test
  void anotherJobManagerGoesOnFromTheLastCheckpointAndCopiesNothingTwice() {
    try (ClusterCopy copy = copy()) {
      copy.pin();
      String job = jobId();
      Fault heldUp = copy.holdUp();
      begin(job, BACKFILL, copy.line("backfill"));
      ClusterCopy.awaitStanding(heldUp);
      cluster.awaitCheckpoint(job);

      cluster.killJobManager();
      begin(job, BACKFILL, copy.line("backfill"));
      await().atMost(PATIENCE).until(() -> cluster.rest().restoredFrom(job).isPresent());
      heldUp.remove();
      assertThat(cluster.awaitJobManagerExit(PATIENCE)).isZero();
      assertThat(cluster.jobManagerLog())
          .as("main has run again")
          .contains("Job " + job + " was recovered successfully");
      copy.assertCopied();

      begin(job, BACKFILL, copy.line("backfill"));
      assertThat(cluster.awaitJobManagerExit(PATIENCE)).isZero();
      assertThat(cluster.jobManagerLog()).contains("(complete already)");
      copy.assertCopied();
    }
  }

  private ClusterCopy copy() {
    return new ClusterCopy(dir.resolve("cutover"), broker);
  }

  private static int run(String mainClass, List<String> line) {
    begin(jobId(), mainClass, line);
    return cluster.awaitJobManagerExit(PATIENCE);
  }

  private static void begin(String job, String mainClass, List<String> line) {
    List<String> arguments = new ArrayList<>(List.of("--job-id", job));
    arguments.addAll(line);
    cluster.startApplication(mainClass, arguments);
  }

  private static String jobId() {
    return UUID.randomUUID().toString().replace("-", "");
  }
}
