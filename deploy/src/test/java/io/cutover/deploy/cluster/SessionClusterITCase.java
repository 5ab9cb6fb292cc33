package io.cutover.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.deploy.Checkout;
import io.cutover.deploy.cluster.FlinkCli.Call;
import io.cutover.deploy.cluster.FlinkCli.Result;
import io.cutover.local.kafka.KafkaBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both jars on a session cluster of three processes, submitted with Flink's own command line. */
class SessionClusterITCase {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

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

  private ClusterCopy copy() {
    return new ClusterCopy(dir.resolve("cutover"), broker);
  }

  private static Result run(Path jar, List<String> line, String... options) {
    return begin(jar, line, options).await();
  }

  private static Call begin(Path jar, List<String> line, String... options) {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(options));
    arguments.add(jar.toString());
    arguments.addAll(line);
    return cluster.cli().begin(arguments);
  }
}
