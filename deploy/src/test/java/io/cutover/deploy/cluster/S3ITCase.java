package io.cutover.deploy.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.cluster.FlinkCli.Call;
import io.cutover.deploy.cluster.FlinkCli.Result;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.Faults.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cutover of which all files stand on S3, with its checkpoints and savepoints, by the plugin that
 * Flink ships, on a session cluster of several processes and on the command line's local target.
 */
class S3ITCase {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String PREFIX = "cutovers";

  /** One JVM for all, as the jobs of deploy/kubernetes; the cluster's own port is taken. */
  private static final String[] LOCAL = {"-t", "local", "-Drest.bind-port=0"};

  @TempDir private static Path shared;

  private static S3Server s3;
  private static KafkaBroker broker;
  private static FlinkCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    s3 = new S3Server(shared.resolve("s3"));
    broker = KafkaBroker.builder().heap("512m").start();
    FlinkCluster.Builder builder =
        FlinkCluster.builder(shared.resolve("flink"))
            .plugins(S3Server.plugins())
            .set("execution.checkpointing.dir", S3Server.uri(PREFIX + "/checkpoints"))
            .set("execution.checkpointing.savepoint-dir", S3Server.uri(PREFIX + "/savepoints"));
    s3.flinkConfig().forEach(builder::set);
    cluster = builder.session();
    letThisJvmKnowS3();
  }

  private static void letThisJvmKnowS3() throws IOException {
    Configuration config = new Configuration();
    s3.flinkConfig().forEach(config::setString);
    FileSystem.initialize(
        config,
        new DefaultPluginManager(
            new DirectoryBasedPluginFinder(S3Server.plugins()).findPlugins(),
            CoreOptions.getPluginParentFirstLoaderPatterns(config)));
  }

  @AfterAll
  static void stop() {
    FileSystem.initialize(new Configuration(), null);
    cluster.close();
    broker.close();
    s3.close();
  }

  @Test
  void fileIsWholeOrAbsent() {
    CutoverDir dir = new CutoverDir(S3Server.uri(PREFIX + "/files"));
    assertThat(dir.read("a.json")).isEmpty();
    assertThat(dir.names("")).isEmpty();
    dir.delete("a.json");

    // Never published, as by a process that is killed while it writes: one part is on its way.
    CutoverDir.Draft killed = dir.draft("a.json");
    killed.write(out -> out.write(new byte[12 << 20]));
    assertThat(dir.read("a.json")).isEmpty();
    assertThat(dir.names("")).isEmpty();

    dir.write("a.json", out -> out.write("one".getBytes(UTF_8)));
    dir.write("a.json", out -> out.write("another".getBytes(UTF_8)));
    assertThatThrownBy(
            () ->
                dir.write(
                    "a.json",
                    out -> {
                      out.write("a half".getBytes(UTF_8));
                      throw new IOException("no more");
                    }))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no more");
    assertThat(dir.read("a.json")).contains("another".getBytes(UTF_8));
    assertThat(dir.names("")).containsExactly("a.json");
    // For these deploy/aws/README.md has a rule of the bucket.
    assertThat(s3.unfinishedUploads()).contains(PREFIX + "/files/a.json");

    dir.delete("a.json");
    assertThat(dir.read("a.json")).isEmpty();
  }

  @Test
  void copyIsMadeAndJudgedOnS3() {
    try (ClusterCopy copy = new ClusterCopy(S3Server.uri(PREFIX + "/orders"), broker)) {
      pinTwiceAtOnce(copy);

      copyInTwoRuns(copy);
      copy.assertCopied();
      assertThat(copy.has("witness.jsonl")).isTrue();
      assertThat(copy.has("running.json")).isFalse();

      int before = s3.requests().size();
      assertExit(0, run(Checkout.reconcileJobJar(), copy.line("reconcile"), LOCAL));
      assertThat(refusedToTheReconciler(since(before))).isEmpty();
      assertThat(copy.verdict()).isEqualTo("CLEARED");
      copy.damage();
      assertExit(1, run(Checkout.reconcileJobJar(), copy.line("reconcile")));
      assertThat(copy.verdict()).isEqualTo("MISMATCH");
      assertThat(copy.names("verdict-")).hasSize(2);
      assertThat(copy.names("")).contains("verdict.html", "differences.jsonl");
    }
    assertThat(refusedByThePolicy()).isEmpty();
  }

  /** At most one of them writes it; what a pin shows is what stands there. */
  private static void pinTwiceAtOnce(ClusterCopy copy) {
    Call one = begin(Checkout.jobJar(), copy.line("pin"));
    Call other = begin(Checkout.jobJar(), copy.line("pin"), LOCAL);
    List<Result> both = List.of(one.await(), other.await());
    copy.pin();

    String id = copy.file("pin.json").path("id").asText();
    assertThat(both)
        .allSatisfy(
            pin ->
                assertThat(pin.output()).contains(pin.exitCode() == 0 ? id : "[ALREADY_RUNNING]"));
    assertThat(copy.names("pin.json")).containsExactly("pin.json");
  }

  /** One run loses a TaskManager and is stopped with a savepoint, the other takes that up. */
  private static void copyInTwoRuns(ClusterCopy copy) {
    Fault heldUp = copy.holdUp();
    Call first = begin(Checkout.jobJar(), copy.line("backfill"), "-p", "4");
    ClusterCopy.awaitStanding(heldUp);
    String job = first.job();
    cluster.awaitCheckpoint(job);
    cluster.killTaskManager();
    cluster.startTaskManager();

    assertThat(copy.has("running.json")).isTrue();
    copy.assertRefused("backfill", Reason.ALREADY_RUNNING, "running.json");

    await().atMost(PATIENCE).until(() -> cluster.rest().restoredFrom(job).isPresent());
    cluster.awaitCheckpoint(job);
    Result stop = cluster.cli().call("stop", job);
    assertExit(0, stop);
    assertThat(stop.savepoint()).startsWith(S3Server.uri(PREFIX + "/savepoints/"));
    Result stopped = first.await();
    assertExit(3, stopped);
    assertThat(stopped.output()).contains("[STOPPED_EARLY]");
    assertThat(copy.has("backfill-report.json")).isFalse();

    heldUp.remove();
    assertExit(0, run(Checkout.jobJar(), copy.line("backfill"), "-s", stop.savepoint()));
  }

  private static List<S3Request> since(int count) {
    List<S3Request> requests = s3.requests();
    return requests.subList(count, requests.size());
  }

  /** A run's requests, held against the policy of who reconciles. */
  private static Set<S3Request> refusedToTheReconciler(List<S3Request> requests) {
    assertThat(requests)
        .contains(new S3Request("s3:PutObject", Optional.of(PREFIX + "/orders/verdict.json")));
    StoragePolicy policy =
        StoragePolicy.reconciler(S3Server.BUCKET, PREFIX, PREFIX + "/orders", PREFIX + "/gate");
    return requests.stream().filter(request -> !policy.allows(request)).collect(Collectors.toSet());
  }

  /** The cluster's requests and the clients', held against the policy of their role. */
  private static Set<S3Request> refusedByThePolicy() {
    StoragePolicy policy = StoragePolicy.backfill(S3Server.BUCKET, PREFIX);
    Set<String> ownActions = Set.of("s3:CreateBucket", "s3:ListBucketMultipartUploads");
    Set<S3Request> requests = Set.copyOf(s3.requests());
    assertThat(requests)
        .extracting(S3Request::action)
        .contains("s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket");
    StoragePolicy elsewhere = StoragePolicy.backfill(S3Server.BUCKET, PREFIX + "-not");
    assertThat(requests)
        .filteredOn(request -> request.key().isPresent())
        .noneMatch(elsewhere::allows);
    return requests.stream()
        .filter(request -> !ownActions.contains(request.action()))
        .filter(request -> !policy.allows(request))
        .collect(Collectors.toSet());
  }

  private static void assertExit(int code, Result result) {
    assertThat(result.exitCode()).as(result.output()).isEqualTo(code);
  }

  private static Result run(Path jar, List<String> line, String... options) {
    return begin(jar, line, options).await();
  }

  private static Call begin(Path jar, List<String> line, String... options) {
    return cluster.cli().run(jar, line, options);
  }
}
