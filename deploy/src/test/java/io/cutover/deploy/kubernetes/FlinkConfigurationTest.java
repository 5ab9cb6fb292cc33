package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.config.BackfillOptions;
import io.cutover.config.PreflightOptions;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.kubernetes.Steps.Applied;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the manifests ask of Flink and of its operator. */
class FlinkConfigurationTest {

  private static final Path CONF = Checkout.ROOT.resolve("conf/flink-config.yaml");
  private static final String EXCHANGE = "taskmanager.network.sort-shuffle.min-buffers";
  private static final String PORT = "metrics.reporter.prometheus.port";

  /** Kubernetes' node-monitor-grace-period, unless a cluster was given another. */
  private static final Duration TO_NOTICE_A_LOST_NODE = Duration.ofSeconds(50);

  private static final String CLIENT = "setup/flink-client/";

  static Stream<Applied> deployments() {
    return Steps.all().filter(Applied::isFlink);
  }

  private static Configuration of(JsonNode keys) {
    Configuration configuration = new Configuration();
    keys.properties()
        .forEach(entry -> configuration.setString(entry.getKey(), entry.getValue().asText()));
    return configuration;
  }

  private static Stream<String> faults(JsonNode keys) {
    return keys.properties().stream()
        .map(entry -> FlinkKeys.fault(entry.getKey(), entry.getValue().asText()))
        .flatMap(Optional::stream);
  }

  private static Configuration backfill() {
    return of(Steps.example("backfill").at("/spec/flinkConfiguration"));
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void everyKeyIsOneThatFlinkOrItsOperatorReads(Applied one) {
    assertThat(faults(one.resource().at("/spec/flinkConfiguration"))).isEmpty();
  }

  @Test
  void soIsEveryKeyOfTheStepsOnALocalFlink() {
    assertThat(faults(Documents.one(Steps.BASE.resolve(CLIENT + "config.yaml")))).isEmpty();
  }

  @Test
  void soIsEveryKeyOfConf() {
    assertThat(faults(Documents.one(CONF))).isEmpty();
  }

  @Test
  void aLocalFlinkReadsItsFolderAsItIsMeant() {
    Configuration read =
        GlobalConfiguration.loadConfiguration(Steps.BASE.resolve(CLIENT).toString());
    assertThat(read.toMap()).containsKey("s3.aws.credentials.provider");
    assertThat(read.get(CoreOptions.FLINK_JVM_OPTIONS).split(" "))
        .isNotEmpty()
        .allMatch(option -> option.matches("--add-(opens|exports)=[^ ]+=ALL-UNNAMED"));
  }

  @ParameterizedTest
  @CsvSource({
    "execution.checkpointing.dirr, s3://bucket",
    "kubernetes.operator.job.restart.fail, false",
    "kubernetes.operator.job.restart.failed, never",
    "kubernetes.operator.jm-deployment.shutdown-ttl, soon",
    "execution.checkpointing.timeout, 2 mim",
    "metrics.reporter.prometheus.prot, 9249"
  })
  void aMisspeltKeyOrValueIsNoticed(String key, String value) {
    assertThat(FlinkKeys.fault(key, value)).isPresent();
  }

  @Test
  void theBackfillHasAllThatConfAsksOfACluster() {
    ObjectNode asked = Documents.one(CONF);
    // The one is of a batch job; a pod has one process, and needs no range of ports.
    asked.remove(List.of(EXCHANGE, PORT));
    Map<String, String> given = backfill().toMap();
    asked
        .properties()
        .forEach(
            entry -> {
              assertThat(given).containsKey(entry.getKey());
              if (!entry.getValue().asText().startsWith("s3:")) {
                assertThat(given).containsEntry(entry.getKey(), entry.getValue().asText());
              }
            });
  }

  @Test
  void theReconciliationHasTheBuffersThatConfAsksForIt() {
    String asked = Documents.one(CONF).path(EXCHANGE).asText();
    assertThat(Documents.one(Steps.BASE.resolve(CLIENT + "config.yaml")).path(EXCHANGE).asText())
        .isEqualTo(asked);
    assertThat(Steps.example("gate-flink").at("/spec/flinkConfiguration").path(EXCHANGE).asText())
        .isEqualTo(asked);
  }

  @Test
  void theLongestRestartIsAsShortAsThePreflightTakesIt() {
    Configuration flink = backfill();
    Duration backoff =
        flink.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF);
    double jitter =
        flink.get(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_JITTER_FACTOR);
    Duration longest =
        flink
            .get(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT)
            .plusMillis((long) (backoff.toMillis() * (1 + jitter)))
            .plus(flink.get(JobManagerOptions.SLOT_REQUEST_TIMEOUT));
    assertThat(longest).isLessThanOrEqualTo(cutover().get(PreflightOptions.LONGEST_RESTART));
  }

  @Test
  void soIsARestartOnAnotherNode() {
    Duration longest =
        TO_NOTICE_A_LOST_NODE
            .plus(tolerated(Steps.example("backfill").at("/spec/podTemplate")))
            .plus(backfill().get(JobManagerOptions.SLOT_REQUEST_TIMEOUT));
    assertThat(longest).isLessThanOrEqualTo(cutover().get(PreflightOptions.LONGEST_RESTART));
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void aLostNodeIsGivenUpSoon(Applied one) {
    assertThat(tolerated(one.pods())).isEqualTo(Duration.ofSeconds(30));
  }

  /** How long pods stay bound to a node that is lost, whichever way Kubernetes calls it. */
  private static Duration tolerated(JsonNode pods) {
    Map<String, Duration> tolerated = new TreeMap<>();
    for (JsonNode toleration : pods.at("/spec/tolerations")) {
      assertThat(toleration.path("operator").asText()).isEqualTo("Exists");
      assertThat(toleration.path("effect").asText()).isEqualTo("NoExecute");
      tolerated.put(
          toleration.path("key").asText(),
          Duration.ofSeconds(toleration.path("tolerationSeconds").asLong()));
    }
    assertThat(tolerated)
        .containsOnlyKeys("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    return Collections.max(tolerated.values());
  }

  @Test
  void aTransactionOutlivesItsCheckpointAndARestart() throws IOException {
    Duration needed =
        cutover()
            .get(BackfillOptions.CHECKPOINT_INTERVAL)
            .plus(backfill().get(CheckpointingOptions.CHECKPOINTING_TIMEOUT))
            .plus(cutover().get(PreflightOptions.LONGEST_RESTART));
    String timeout =
        properties(Steps.CONF.resolve("kafka-client.properties"))
            .getProperty("transaction.timeout.ms");
    // The brokers' own maximum, unless it was raised.
    assertThat(Duration.ofMillis(Long.parseLong(timeout)))
        .isBetween(needed, Duration.ofMinutes(15));
  }

  private static Configuration cutover() {
    return Steps.cutover(Map.of());
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void aDeploymentLogsAsConfDoes(Applied one) throws IOException {
    String logging = one.resource().at("/spec/logConfiguration/log4j-console.properties").asText();
    assertThat(properties(new StringReader(logging)))
        .isEqualTo(properties(Checkout.ROOT.resolve("conf/log4j2.properties")));
  }

  @Test
  void soDoTheStepsOnALocalFlink() throws IOException {
    assertThat(properties(Steps.BASE.resolve(CLIENT + "log4j-cli.properties")))
        .isEqualTo(properties(Checkout.ROOT.resolve("conf/log4j2.properties")));
  }

  private static Properties properties(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file)) {
      return properties(reader);
    }
  }

  private static Properties properties(Reader reader) throws IOException {
    Properties properties = new Properties();
    properties.load(reader);
    return properties;
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void metricsAreWherePrometheusIsTold(Applied one) {
    Configuration flink = of(one.resource().at("/spec/flinkConfiguration"));
    JsonNode port = one.pods().at("/spec/containers/0/ports/0");
    assertThat(port.path("name").asText()).isEqualTo("metrics");
    assertThat(flink.toMap()).containsEntry(PORT, port.path("containerPort").asText());
  }
}
