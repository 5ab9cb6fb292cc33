package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.Reason;
import io.cutover.UsageException;
import io.cutover.config.BackfillOptions;
import io.cutover.config.CutoverConfig;
import io.cutover.deploy.Checkout;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kinesis.KinesisOptions;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example's own configuration, which the first step makes a ConfigMap of. */
class ExampleConfTest {

  private static final Path PROPERTIES = Steps.CONF.resolve("kafka-client.properties");

  @TempDir private Path secrets;

  private static Configuration cutover(String... overrides) {
    return Steps.cutover(overrides.length == 0 ? Map.of() : Map.of(overrides[0], overrides[1]));
  }

  @Test
  void withoutItsOwnTNothingTakesIt() {
    assertThatThrownBy(
            () -> CutoverConfig.load(Optional.of(Steps.CONF.resolve("cutover.yaml")), Map.of()))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll(Reason.OPTION_VALUE.name(), "pin.boundary", "SET-ME");
    assertThat(Reason.OPTION_VALUE.exitCode()).isEqualTo(64);
  }

  @Test
  void namesAllThatEveryCommandNeeds() {
    for (var option :
        List.of(BackfillOptions.DIR, KinesisOptions.STREAM, KafkaOptions.CLIENT_PROPERTIES)) {
      assertThat(cutover().getOptional(option)).as(option.key()).isPresent();
    }
    assertThat(cutover().get(BackfillOptions.DIR)).startsWith("s3://");
    assertThat(cutover().get(KafkaOptions.CLIENT_PROPERTIES))
        .isEqualTo("/etc/cutover/" + PROPERTIES.getFileName());
  }

  @Test
  void namesTheTopicAndTheClusterThatStrimziHas() {
    JsonNode topic =
        Documents.one(Checkout.ROOT.resolve("deploy/strimzi/base/topic.yaml")).path("metadata");
    assertThat(cutover().get(KafkaOptions.TOPIC)).isEqualTo(topic.path("name").asText());
    assertThat(cutover().get(KafkaOptions.BOOTSTRAP_SERVERS))
        .isEqualTo(
            topic.path("labels").path("strimzi.io/cluster").asText()
                + "-kafka-bootstrap.kafka.svc:9093");
  }

  @Test
  void isKeptApartFromFlinksOwnFolders() {
    JsonNode flink = Steps.example("backfill").at("/spec/flinkConfiguration");
    List<String> folders =
        List.of(
            flink.path("high-availability.storageDir").asText(),
            flink.path("execution.checkpointing.dir").asText(),
            flink.path("execution.checkpointing.savepoint-dir").asText(),
            Steps.example("gate-flink")
                .at("/spec/flinkConfiguration")
                .path("high-availability.storageDir")
                .asText(),
            cutover().get(BackfillOptions.DIR));
    assertThat(folders).doesNotHaveDuplicates().allMatch(folder -> folder.startsWith("s3://"));
    assertThat(folders)
        .noneMatch(one -> folders.stream().anyMatch(other -> other.startsWith(one + "/")));
  }

  @Test
  void asksOfTheProducerWhatConfDoes() throws IOException {
    Properties conf = new Properties();
    try (Reader reader =
        Files.newBufferedReader(Checkout.ROOT.resolve("conf/kafka-client.properties"))) {
      conf.load(reader);
    }
    assertThat(loaded(Files.readString(PROPERTIES))).containsAllEntriesOf(conf);
  }

  /** As the jobs read it. */
  private Properties loaded(String text) throws IOException {
    Path file = Files.writeString(secrets.resolve("kafka-client.properties"), text);
    return KafkaClientProperties.load(
            cutover(KafkaOptions.CLIENT_PROPERTIES.key(), file.toString()))
        .admin();
  }

  @Test
  void aClientTakesThePasswordsFromTheSecrets() throws IOException {
    AdminClientConfig client = client(withSecrets(Files.readString(PROPERTIES)));
    assertThat(client.getPassword(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG))
        .isEqualTo(new Password("of the user"));
    assertThat(client.getPassword(SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG))
        .isEqualTo(new Password("of the cluster"));
    assertThat(client.getString("security.protocol")).isEqualTo("SSL");
  }

  @Test
  void soItDoesWithScram() throws IOException {
    String scram =
        Files.readString(PROPERTIES)
            .replaceAll("(?m)^(security\\.protocol|ssl\\.keystore\\.).*$", "")
            .replaceAll("(?m)^#(security|sasl)\\.", "$1.");
    AdminClientConfig client = client(withSecrets(scram));
    assertThat(client.getString("security.protocol")).isEqualTo("SASL_SSL");
    assertThat(client.getString(SaslConfigs.SASL_MECHANISM)).isEqualTo("SCRAM-SHA-512");
    assertThat(client.getPassword(SaslConfigs.SASL_JAAS_CONFIG))
        .isEqualTo(new Password("of the login"));
  }

  private AdminClientConfig client(String text) throws IOException {
    return new AdminClientConfig(loaded(text));
  }

  /** The folders of the pods, here with the files that Strimzi's Secrets have. */
  private String withSecrets(String text) throws IOException {
    Path user = Files.createDirectories(secrets.resolve("user"));
    Files.writeString(user.resolve("user.password"), "of the user");
    Files.writeString(user.resolve("sasl.jaas.config"), "of the login");
    Path cluster = Files.createDirectories(secrets.resolve("ca"));
    Files.writeString(cluster.resolve("ca.password"), "of the cluster");
    return text.replace("/etc/cutover-user", user.toString())
        .replace("/etc/cutover-ca", cluster.toString());
  }

  @Test
  void noSecretStandsInAConfigMap() throws IOException {
    assertThat(Files.readString(PROPERTIES).lines())
        .filteredOn(line -> line.matches(".*(password|jaas\\.config)=.*"))
        .isNotEmpty()
        .allMatch(line -> line.matches(".*=\\$\\{directory:[^}]*}"));
    assertThat(CutoverConfig.options()).containsKey("aws.credentials.basic.secretkey");
    assertThat(cutover().toMap()).doesNotContainKey("aws.credentials.basic.secretkey");
  }
}
