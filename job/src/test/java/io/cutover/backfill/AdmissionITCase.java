package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.local.kinesis.Faults.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the job itself looks at, on the JobManager. */
class AdmissionITCase {

  private static Cluster cluster;

  @TempDir private Path dir;

  private CopyRig rig;
  private Instant t;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(1, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void fill() {
    rig = new CopyRig(dir, 1, 2).set("source.shard.discovery.interval", "1 s");
    t = rig.now().minus(Duration.ofMinutes(5));
    String shard = rig.stream().shards().get(0).id();
    rig.producer().fill(shard, 30, t.minusSeconds(60), Duration.ofSeconds(1));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void alterTopic(String key, String value) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", rig.broker().bootstrapServers()))) {
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, rig.topic()),
                  List.of(
                      new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void withoutAClientTheJobRunsThePreflightAndNamesEveryFailureWithItsRemedy() throws Exception {
    alterTopic("retention.ms", "604800000");
    alterTopic("message.timestamp.type", "LogAppendTime");

    Refusal refusal = cluster.runToRefusal(rig.withoutClient().graph(t, 1));

    assertThat(refusal.reason()).isEqualTo(Reason.PREFLIGHT_FAILED);
    assertThat(refusal)
        .hasMessageContaining("2 of 28 checks failed: topic-timestamp-type, topic-retention")
        .hasMessageContaining("--add-config retention.ms=-1");
    assertThat(rig.contents()).isEmpty();
  }

  @Test
  void withoutAClientASoundCopyIsMade() throws Exception {
    cluster.run(rig.withoutClient().graph(t, 1));

    rig.assertExact(t);
    ReportOracle.assertComplete(rig.report(), rig.producer(), t);
  }

  @Test
  void liveRecordsOfADualWriteAreCountedAndTheFirstIsNamedInTheReport() throws Exception {
    rig.writeLive(t.plusSeconds(3), t.plusSeconds(4));

    cluster.run(rig.graph(t, 1));

    JsonNode run = rig.report().path("run");
    assertThat(run.path("liveRecords").asLong()).isEqualTo(2);
    assertThat(run.path("firstLive").asText())
        .contains("partition ", "offset 0")
        .containsAnyOf(t.plusSeconds(3).toString(), t.plusSeconds(4).toString());
  }

  @Test
  void retentionThatWasLoweredAfterThePinIsRefused() throws Exception {
    var graph = rig.graph(t, 1);
    rig.stream().retention(Duration.ofDays(29));

    assertThat(cluster.runToRefusal(graph).reason()).isEqualTo(Reason.RETENTION_LOWERED);
  }

  @Test
  void topicThatIsMadeAnewWhileItIsCopiedEndsTheJobWithoutAReport() throws Exception {
    Fault stuck = rig.kinesis().faults().on("GetRecords").throttle();
    JobID job = cluster.submit(rig.graph(t, 1));
    org.awaitility.Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> rig.kinesis().calls().stream().anyMatch(c -> c.action().equals("GetRecords")));
    rig.recreateTopic();
    stuck.remove();

    Throwable failure =
        cluster
            .await(job)
            .getSerializedThrowable()
            .orElseThrow()
            .deserializeError(getClass().getClassLoader());

    assertThat(failure).rootCause().hasMessageContaining("[TOPIC_RECREATED]");
    assertThat(rig.reportIfAny()).isEmpty();
  }
}
