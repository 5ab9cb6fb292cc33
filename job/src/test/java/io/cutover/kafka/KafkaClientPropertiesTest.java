package io.cutover.kafka;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.configuration.Configuration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaClientPropertiesTest {

  @TempDir private Path dir;

  private final Configuration config = new Configuration();

  KafkaClientPropertiesTest() {
    config.set(KafkaOptions.BOOTSTRAP_SERVERS, "broker:9092");
  }

  private KafkaClientProperties withFile(String... lines) throws IOException {
    Path file = Files.write(dir.resolve("client.properties"), List.of(lines));
    config.set(KafkaOptions.CLIENT_PROPERTIES, file.toString());
    return KafkaClientProperties.load(config);
  }

  @Test
  void defaults() {
    KafkaClientProperties properties = KafkaClientProperties.load(config);
    assertThat(properties.producer())
        .containsOnly(
            Map.entry("bootstrap.servers", "broker:9092"),
            Map.entry("acks", "all"),
            Map.entry("enable.idempotence", "true"),
            Map.entry("max.in.flight.requests.per.connection", "5"),
            Map.entry("retries", "2147483647"),
            Map.entry("delivery.timeout.ms", "120000"),
            Map.entry("linger.ms", "5"),
            Map.entry("batch.size", "65536"),
            Map.entry("compression.type", "zstd"),
            Map.entry("transaction.timeout.ms", "900000"));
    assertThat(properties.bootstrapServers()).isEqualTo("broker:9092");
    assertThat(properties.transactionTimeout()).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void producerFitsTheLargestRecordUnlessTheFileSaysOtherwise() throws IOException {
    LargestRecord largest = new LargestRecord(10240);
    assertThat(KafkaClientProperties.load(config).producer(largest))
        .containsAllEntriesOf(largest.settings());
    assertThat(withFile("max.request.size=2000000").producer(largest))
        .containsEntry("max.request.size", "2000000")
        .containsEntry("buffer.memory", largest.settings().getProperty("buffer.memory"));
  }

  @Test
  void fileAddsAndOverridesWhatIsFree() throws IOException {
    Properties producer =
        withFile(
                "security.protocol = SASL_SSL",
                "linger.ms=50",
                "transaction.timeout.ms=60000",
                "bootstrap.servers=other:1")
            .producer();
    assertThat(producer)
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("linger.ms", "50")
        .containsEntry("transaction.timeout.ms", "60000")
        .containsEntry("batch.size", "65536")
        .containsEntry("bootstrap.servers", "broker:9092");
  }

  @Test
  void whatTheCopyNeedsMayBeStated() throws IOException {
    assertThat(withFile("acks=all", "enable.idempotence=true").producer())
        .containsEntry("acks", "all");
    assertThat(withFile("acks=-1").producer()).containsEntry("acks", "-1");
    assertThat(
            withFile("max.in.flight.requests.per.connection=1", "isolation.level=read_committed")
                .producer())
        .containsEntry("max.in.flight.requests.per.connection", "1");
  }

  @Test
  void compressionAndPatienceAreTheUsers() throws IOException {
    assertThat(withFile("compression.type=none", "delivery.timeout.ms=300000", "retries=7"))
        .extracting(KafkaClientProperties::producer, as(InstanceOfAssertFactories.MAP))
        .containsEntry("compression.type", "none")
        .containsEntry("delivery.timeout.ms", "300000")
        .containsEntry("retries", "7");
  }

  @ParameterizedTest
  @CsvSource({
    "acks,1",
    "acks,0",
    "enable.idempotence,false",
    "enable.idempotence,-1",
    "transactional.id,mine",
    "transaction.two.phase.commit.enable,true",
    "max.in.flight.requests.per.connection,6",
    "retries,0",
    "key.serializer,org.apache.kafka.common.serialization.StringSerializer",
    "value.serializer,org.apache.kafka.common.serialization.StringSerializer",
    "partitioner.class,org.apache.kafka.clients.producer.RoundRobinPartitioner",
    "partitioner.ignore.keys,true",
    "interceptor.classes,com.example.Masking",
    "isolation.level,read_uncommitted"
  })
  void weakeningIsRefusedByName(String name, String value) {
    assertThatThrownBy(() -> withFile(name + "=" + value))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(name + " = " + value)
        .hasMessageContaining("kafka.client.properties");
  }

  @ParameterizedTest
  @ValueSource(strings = {"15 min", "-1", "0", "", "9999999999"})
  void transactionTimeoutIsMilliseconds(String value) {
    assertThatThrownBy(() -> withFile("transaction.timeout.ms=" + value))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("transaction.timeout.ms");
  }

  @ParameterizedTest
  @CsvSource({
    "linger.ms,soon",
    "batch.size,64 KiB",
    "compression.type,brotli",
    "max.in.flight.requests.per.connection,0",
    "max.in.flight.requests.per.connection,few",
    "retries,-1",
    "security.protocol,TLS"
  })
  void whatKafkaWouldNotTakeLaterIsRefusedNow(String name, String value) {
    assertThatThrownBy(() -> withFile(name + "=" + value))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value)
        .hasMessageContaining("kafka.client.properties");
  }

  @Test
  void secretsAreInNoMessage() {
    String secret = "sasl.jaas.config=org.example.Login required password=\"hunter2\";";
    for (String wrong : List.of("acks=0", "linger.ms=soon", "transaction.timeout.ms=x", "k=\\u0")) {
      assertThatThrownBy(() -> withFile(secret, "ssl.key.password=hunter2", wrong))
          .isInstanceOf(Refusal.class)
          .hasMessageNotContaining("hunter2");
    }
  }

  @Test
  void fileThatIsNotThereIsNamed() {
    Path absent = dir.resolve("absent");
    config.set(KafkaOptions.CLIENT_PROPERTIES, absent.toString());
    assertThatThrownBy(() -> KafkaClientProperties.load(config))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("kafka.client.properties names " + absent + ", but there is no such");
  }

  @Test
  void relativePathStartsAtTheWorkingDirectory() {
    config.set(KafkaOptions.CLIENT_PROPERTIES, "conf/absent.properties");
    assertThatThrownBy(() -> KafkaClientProperties.load(config))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("conf/absent.properties")
        .hasMessageContaining("working directory " + Path.of("").toAbsolutePath());
    config.set(KafkaOptions.CLIENT_PROPERTIES, "../conf/kafka-client.properties");
    assertThat(KafkaClientProperties.load(config).producer()).containsEntry("linger.ms", "5");
  }

  @Test
  void fileThatCannotBeReadIsRefused() {
    config.set(KafkaOptions.CLIENT_PROPERTIES, dir.toString());
    assertThatThrownBy(() -> KafkaClientProperties.load(config))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("kafka.client.properties")
        .hasMessageContaining("cannot be read");
  }

  @Test
  void fileThatIsNoPropertiesFileIsRefused() {
    assertThatThrownBy(() -> withFile("key=\\u00zz"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("client.properties");
  }

  @Test
  void consumerReadsCommittedRecordsAndBendsNothing() throws IOException {
    Properties consumer =
        withFile(
                "enable.auto.commit=true",
                "auto.offset.reset=latest",
                "ssl.truststore.location=/etc/trust")
            .consumer();
    assertThat(consumer)
        .containsEntry("isolation.level", "read_committed")
        .containsEntry("enable.auto.commit", "false")
        .containsEntry("auto.offset.reset", "none")
        .containsEntry("allow.auto.create.topics", "false")
        .containsEntry("ssl.truststore.location", "/etc/trust");
  }

  @Test
  void eachAskerGetsACopyOfItsOwn() {
    KafkaClientProperties properties = KafkaClientProperties.load(config);
    properties.producer().setProperty("acks", "0");
    properties.admin().clear();
    assertThat(properties.producer()).containsEntry("acks", "all");
    assertThat(properties.admin()).containsEntry("bootstrap.servers", "broker:9092");
  }

  // ---- conf/kafka-client.properties

  private static final Path CONF = Path.of("..", "conf", "kafka-client.properties");

  @Test
  void fileInConfStatesTheDefaults() {
    KafkaClientProperties without = KafkaClientProperties.load(config);
    config.set(KafkaOptions.CLIENT_PROPERTIES, CONF.toString());
    assertThat(KafkaClientProperties.load(config).producer()).isEqualTo(without.producer());
  }
}
