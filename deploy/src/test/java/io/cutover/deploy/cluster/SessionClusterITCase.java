package io.cutover.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.deploy.Checkout;
import io.cutover.deploy.cluster.FlinkCli.Call;
import io.cutover.deploy.cluster.FlinkCli.Result;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.Faults.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both jars on a session cluster of three processes, submitted with Flink's own command line. */
class SessionClusterITCase {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Set<String> FINAL = Set.of("FINISHED", "FAILED", "CANCELED");

  private static KafkaBroker broker;
  private static FlinkCluster cluster;

  @TempDir private static Path shared;
  @TempDir private Path dir;

  @BeforeAll
  static void start() {
    broker = KafkaBroker.builder().heap("512m").start();
    cluster = FlinkCluster.builder(shared.resolve("flink")).session();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    broker.close();
  }

  @Test
  void attachedTheExitCodeTellsWhatCameOfEachCommand() {
    try (ClusterCopy copy = copy()) {
      Result pin = run(Checkout.jobJar(), copy.line("pin"));
      assertThat(pin.exitCode()).as(pin.output()).isZero();
      Result preflight = run(Checkout.jobJar(), copy.line("preflight"));
      assertThat(preflight.exitCode()).as(preflight.output()).isZero();

      Result backfill = run(Checkout.jobJar(), copy.line("backfill"));
      assertThat(backfill.exitCode()).as(backfill.output()).isZero();
      assertThat(backfill.output()).contains("Complete: 1500 user records");
      copy.assertCopied();

      Result cleared = run(Checkout.reconcileJobJar(), copy.line("reconcile"));
      assertThat(cleared.exitCode()).as(cleared.output()).isZero();
      assertThat(cleared.output()).contains("CLEARED");
      assertThat(copy.verdict()).isEqualTo("CLEARED");

      copy.damage();
      Result mismatch = run(Checkout.reconcileJobJar(), copy.line("reconcile"));
      assertThat(mismatch.exitCode()).as(mismatch.output()).isEqualTo(1);
      assertThat(mismatch.output()).contains("MISMATCH");
      assertThat(copy.verdict()).isEqualTo("MISMATCH");
    }
  }

  @Test
  void detachedTheJobStateAndTheFolderTellIt() {
    try (ClusterCopy copy = copy()) {
      copy.pin();
      Result backfill = run(Checkout.jobJar(), copy.line("backfill"), "-d");
      assertThat(backfill.exitCode()).as(backfill.output()).isZero();
      awaitState(backfill.job(), "FINISHED");
      copy.assertCopied();

      Fault heldUp = copy.holdUp();
      Result cancelled = run(Checkout.reconcileJobJar(), copy.line("reconcile"), "-d");
      ClusterCopy.awaitStanding(heldUp);
      assertThat(cluster.cli().call("cancel", cancelled.job()).exitCode()).isZero();
      awaitState(cancelled.job(), "CANCELED");
      await().atMost(PATIENCE).until(() -> copy.has("verdict.json"));
      assertThat(copy.verdict()).isEqualTo("INCONCLUSIVE");
      heldUp.remove();

      Result cleared = run(Checkout.reconcileJobJar(), copy.line("reconcile"), "-d");
      assertThat(cleared.exitCode()).as(cleared.output()).isZero();
      awaitState(cleared.job(), "FINISHED");
      assertThat(copy.verdict()).isEqualTo("CLEARED");

      copy.damage();
      Result mismatch = run(Checkout.reconcileJobJar(), copy.line("reconcile"), "-d");
      assertThat(mismatch.exitCode()).as(mismatch.output()).isZero();
      awaitState(mismatch.job(), "FAILED");
      assertThat(copy.verdict()).isEqualTo("MISMATCH");
      assertThat(mismatch.output()).contains("Reconciliation " + copy.verdictOf() + " of copy");
      assertThat(cluster.rest().failure(mismatch.job())).contains("[MISMATCH]");
      assertThat(cluster.rest().attempts(mismatch.job())).as("never restarted").isEqualTo(1);
    }
  }

  @Test
  void stoppedWithASavepointTheCopyIsTakenUpFromIt() {
    try (ClusterCopy copy = copy()) {
      copy.pin();
      Fault heldUp = copy.holdUp();
      Call backfill = begin(Checkout.jobJar(), copy.line("backfill"));
      ClusterCopy.awaitStanding(heldUp);
      String job = backfill.job();
      assertThat(cluster.cli().call("list", "-r").output()).contains(job, "cutover backfill ");

      Result stop = cluster.cli().call("stop", job);
      assertThat(stop.exitCode()).as(stop.output()).isZero();
      Result stopped = backfill.await();
      assertThat(stopped.exitCode()).as(stopped.output()).isEqualTo(3);
      assertThat(stopped.output()).contains("[STOPPED_EARLY]");
      assertThat(copy.has("backfill-report.json")).isFalse();

      heldUp.remove();
      Result resumed = run(Checkout.jobJar(), copy.line("backfill"), "-s", stop.savepoint());
      assertThat(resumed.exitCode()).as(resumed.output()).isZero();
      copy.assertCopied();
    }
  }

  /** Four subtasks fill both TaskManagers, so that whichever is lost had a part in the copy. */
  @Test
  void lostTaskManagerLeavesNothingOutAndDoublesNothing() {
    try (ClusterCopy copy = copy()) {
      copy.pin();
      Fault heldUp = copy.holdUp();
      Call backfill = begin(Checkout.jobJar(), copy.line("backfill"), "-p", "4");
      ClusterCopy.awaitStanding(heldUp);
      String job = backfill.job();
      cluster.awaitCheckpoint(job);

      cluster.killTaskManager();
      cluster.startTaskManager();
      heldUp.remove();

      Result result = backfill.await();
      assertThat(result.exitCode()).as(result.output()).isZero();
      assertThat(cluster.rest().attempts(job)).isGreaterThan(1);
      copy.assertCopied();
    }
  }

  @Test
  void whatIsRefusedHasItsExitCodeThroughFlinksCommandLine() {
    try (ClusterCopy copy = copy()) {
      List<String> misspelt = copy.line("backfill", "--confg", "cutover.yaml");
      Call usage = begin(Checkout.jobJar(), misspelt);
      Call unpinned = begin(Checkout.reconcileJobJar(), copy.line("reconcile"));

      Result bad = usage.await();
      assertThat(bad.exitCode()).as(bad.output()).isEqualTo(64);
      assertThat(bad.output()).contains("--confg", "[BAD_ARGUMENTS]");
      Result refused = unpinned.await();
      assertThat(refused.exitCode()).as(refused.output()).isEqualTo(3);
      assertThat(refused.output()).contains("[PIN_MISSING]");
    }
  }

  private static void awaitState(String job, String state) {
    await()
        .atMost(PATIENCE)
        .until(() -> cluster.rest().jobState(job).filter(FINAL::contains).isPresent());
    assertThat(cluster.rest().jobState(job)).hasValue(state);
  }

  private ClusterCopy copy() {
    return new ClusterCopy(dir.resolve("cutover"), broker);
  }

  private static Result run(Path jar, List<String> line, String... options) {
    return begin(jar, line, options).await();
  }

  private static Call begin(Path jar, List<String> line, String... options) {
    return cluster.cli().run(jar, line, options);
  }
}
