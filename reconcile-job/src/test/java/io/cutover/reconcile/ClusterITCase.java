package io.cutover.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.CutoverDir;
import io.cutover.Refusal;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.pin.PinFile;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.survey.Survey;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reconciliation that nobody waits for, on a cluster that restarts what fails. */
class ClusterITCase {

  private static final int PARALLELISM = 3;

  private static EmbeddedKafka kafka;

  @TempDir private Path dir;

  private MiniCluster cluster;
  private TruthRig rig;
  private TruthStream.Shards shards;

  @BeforeAll
  static void startKafka() {
    kafka = TruthRig.broker();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  /** One slot for three subtasks: they take their turns. */
  @BeforeEach
  void copy() throws Exception {
    rig = new TruthRig(kafka, dir, TruthStream.SHARDS, 3);
    shards = TruthStream.write(rig);
    rig.copy();
    Configuration flink = new Configuration();
    flink.set(RestOptions.BIND_PORT, "0");
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 20);
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(flink)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .build());
    cluster.start();
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
    rig.close();
  }

  private JobID submit() throws Exception {
    Configuration config = rig.config();
    Plan plan =
        new Survey(
                config,
                KafkaClientProperties.load(config),
                new PinFile(new CutoverDir(dir.toUri().toString())).read(),
                InstantSource.system())
            .plan("0123abcd")
            .orElseThrow();
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(Reconciliation.flinkConfig());
    env.setParallelism(PARALLELISM);
    new Reconciliation(plan).addTo(env);
    return cluster
        .submitJob(env.getStreamGraph().getJobGraph())
        .get(60, TimeUnit.SECONDS)
        .getJobID();
  }

  private JobResult result(JobID job) throws Exception {
    return cluster.requestJobResult(job).get(120, TimeUnit.SECONDS);
  }

  @Test
  void clearedCopyFinishesTheJobAlsoWithFewerSlotsThanSubtasks() throws Exception {
    assertThat(result(submit()).getSerializedThrowable()).isEmpty();
    assertThat(rig.verdict().path("verdict").asText()).isEqualTo("CLEARED");
    assertThat(rig.verdict().at("/run/id").asText()).isEqualTo("0123abcd");
  }

  @Test
  void anyOtherVerdictFailsTheJobOnceAndIsItsFailure() throws Exception {
    rig.surgeon().operate(draft -> draft.dropShard(shards.split()));
    JobID job = submit();
    Throwable failure =
        result(job)
            .getSerializedThrowable()
            .orElseThrow()
            .deserializeError(getClass().getClassLoader());
    assertThat(
            ExceptionUtils.findSerializedThrowable(
                failure, Refusal.class, getClass().getClassLoader()))
        .get()
        .asString()
        .contains("RECORDS_MISSING (")
        .endsWith("[MISMATCH]");
    assertThat(cluster.getExecutionGraph(job).get().getAllExecutionVertices())
        .allMatch(task -> task.getCurrentExecutionAttempt().getAttemptNumber() == 0);
    assertThat(rig.verdict().path("verdict").asText()).isEqualTo("MISMATCH");
    assertThat(rig.differences()).isNotEmpty();
  }

  @Test
  void jobThatIsCancelledLeavesAVerdictThatSaysSo() throws Exception {
    rig.kinesis().clearCalls();
    rig.kinesis().faults().on("GetRecords").delay(Duration.ofSeconds(1));
    JobID job = submit();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                rig.kinesis().calls().stream()
                    .anyMatch(call -> call.action().equals("GetRecords")));
    cluster.cancelJob(job).get(60, TimeUnit.SECONDS);
    result(job);
    await().atMost(Duration.ofMinutes(1)).until(() -> rig.file("verdict.json").toFile().exists());
    assertThat(rig.verdict().path("verdict").asText()).isEqualTo("INCONCLUSIVE");
    assertThat(rig.verdict().path("findings").toString()).contains("READ_FAILED");
  }
}
