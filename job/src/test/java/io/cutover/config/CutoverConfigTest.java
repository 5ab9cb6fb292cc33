package io.cutover.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.UsageException;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.source.SourceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CutoverConfigTest {

  @TempDir private Path dir;

  private Path file(String... lines) throws IOException {
    return Files.write(dir.resolve("cutover.yaml"), List.of(lines));
  }

  private Configuration load(String... lines) throws IOException {
    return CutoverConfig.load(Optional.of(file(lines)), Map.of());
  }

  private static Configuration load(Map<String, String> overrides) {
    return CutoverConfig.load(Optional.empty(), overrides);
  }

  static Iterable<ConfigOption<?>> options() {
    return CutoverConfig.options().values();
  }

  // ---- the options

  @ParameterizedTest
  @MethodSource("options")
  void optionIsDescribed(ConfigOption<?> option) {
    String description = new HtmlFormatter().format(option.description());
    assertThat(description).as(option.key()).hasSizeGreaterThan(20).endsWith(".");
    assertThat(option.key()).matches("[a-z0-9.-]+");
  }

  @Test
  void everyHoldersOptionsAreThere() {
    assertThat(CutoverConfig.options())
        .containsKeys(
            BackfillOptions.DIR.key(),
            PinOptions.BOUNDARY.key(),
            KinesisOptions.STREAM.key(),
            KafkaOptions.TOPIC.key(),
            ReconcileOptions.REQUIRE.key(),
            SourceOptions.BUFFER.key());
  }

  @Test
  void optionsCannotBeAddedTo() {
    assertThatThrownBy(() -> CutoverConfig.options().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  // ---- reading

  @Test
  void nestedAndFlatKeysAreTheSame() throws IOException {
    Configuration flat = load("kafka.topic: orders", "boundary.slack: 90 s");
    Configuration nested = load("kafka:", "  topic: orders", "boundary:", "  slack: 90 s");
    assertThat(nested).isEqualTo(flat);
    assertThat(flat.get(KafkaOptions.TOPIC)).isEqualTo("orders");
    assertThat(flat.get(PinOptions.SLACK)).isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void overrideWinsOverTheFile() throws IOException {
    Configuration config =
        CutoverConfig.load(
            Optional.of(file("kafka.topic: orders", "kinesis.stream: s")),
            Map.of("kafka.topic", "other"));
    assertThat(config.get(KafkaOptions.TOPIC)).isEqualTo("other");
    assertThat(config.get(KinesisOptions.STREAM)).isEqualTo("s");
  }

  @Test
  void otherNameOfAnOptionIsTakenAndOverridesToo() throws IOException {
    assertThat(load("aws.endpoint: http://a").get(KinesisOptions.ENDPOINT)).isEqualTo("http://a");
    Configuration config =
        CutoverConfig.load(
            Optional.of(file("kinesis.endpoint: http://a")), Map.of("aws.endpoint", "http://b"));
    assertThat(config.get(KinesisOptions.ENDPOINT)).isEqualTo("http://b");
  }

  @Test
  void keyWithoutAValueIsNotSet() throws IOException {
    Configuration config = load("kafka.topic:", "boundary.slack:");
    assertThat(config.getOptional(KafkaOptions.TOPIC)).isEmpty();
    assertThat(config.get(PinOptions.SLACK)).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void emptyFileSetsNothing() throws IOException {
    assertThat(load().toMap()).isEmpty();
    assertThat(load("# only a comment").toMap()).isEmpty();
  }

  @Test
  void valuesOfEachTypeAreRead() {
    Configuration config =
        load(
            Map.of(
                "kafka.key", "none",
                "aws.credentials.provider", "BASIC",
                "source.max-buffered-bytes", "64 mb",
                "source.shard.get-records.max-record-count", "500",
                "source.shard.get-records.max-calls-per-second", "4.5"));
    assertThat(config.get(KafkaOptions.KEY)).isEqualTo(KafkaOptions.Key.NONE);
    assertThat(config.get(SourceOptions.BUFFER).getMebiBytes()).isEqualTo(64);
    assertThat(config.get(SourceOptions.MAX_RECORDS)).isEqualTo(500);
    assertThat(config.get(SourceOptions.MAX_CALLS)).isEqualTo(4.5);
  }

  @Test
  void hyphenatedNameOfAKeyChoiceIsRead() {
    assertThat(load(Map.of("kafka.key", "partition-key")).get(KafkaOptions.KEY))
        .isEqualTo(KafkaOptions.Key.PARTITION_KEY);
  }

  // ---- refusals

  @ParameterizedTest
  @ValueSource(strings = {"kafka.topics", "cutover", "pin.boundry", "Kafka.topic"})
  void unknownKeyIsRefused(String key) {
    assertThatThrownBy(() -> load(Map.of(key, "x")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("unknown option " + key);
    assertThatThrownBy(() -> load(key + ": x"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("unknown option " + key);
  }

  @ParameterizedTest
  @CsvSource({
    "kafka.topics,kafka.topic",
    "kafka.topik,kafka.topic",
    "Kafka.Topic,kafka.topic",
    "pin.boundry,pin.boundary",
    "pin.window,pin.window-hours",
    "kinesis.streams,kinesis.stream",
    "cutover.directory,cutover.dir",
    "kafka.bootstrap-servers,kafka.bootstrap.servers",
    "source.shard.get-records.max-calls,source.shard.get-records.max-calls-per-second"
  })
  void misspeltKeyIsAnsweredWithTheNearestRightOne(String key, String meant) {
    assertThatThrownBy(() -> load(Map.of(key, "x")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("unknown option " + key + ", did you mean " + meant + "?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"parallelism", "state.backend.type", "x", "zookeeper.connect"})
  void keyThatIsNearNoneIsAnsweredWithNone(String key) {
    assertThatThrownBy(() -> load(Map.of(key, "x")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("unknown option " + key + " (conf/cutover.yaml")
        .hasMessageNotContaining("did you mean");
  }

  @Test
  void misspeltChoiceIsAnsweredWithAllAndTheNearest() {
    assertThatThrownBy(() -> load(Map.of("kafka.key", "partition_keys")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("it is one of partition-key, none, did you mean partition-key?");
    assertThatThrownBy(() -> load(Map.of("aws.credentials.provider", "MAGIC")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("it is one of AUTO, BASIC, ENV_VAR")
        .hasMessageNotContaining("did you mean");
  }

  @ParameterizedTest
  @CsvSource({
    "boundary.slack,30,30 s or 30 ms",
    "boundary.slack,' 30 ',30 s or 30 ms",
    "pin.headroom,12,12 s or 12 ms",
    "source.max-buffered-bytes,64,64 b or 64 mb"
  })
  void numberWithoutAUnitIsNeverGuessedAt(String key, String value, String asked) {
    assertThatThrownBy(() -> load(Map.of(key, value)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("say of what: " + asked);
  }

  @Test
  void zeroNeedsNoUnit() {
    assertThat(load(Map.of("pin.headroom", "0")).get(PinOptions.HEADROOM)).isZero();
    assertThat(load(Map.of("boundary.slack", "00")).get(PinOptions.SLACK)).isZero();
    assertThat(load(Map.of("boundary.slack", "PT30S")).get(PinOptions.SLACK)).hasSeconds(30);
  }

  @Test
  void keyThatIsSetTwiceInOneFileIsRefused() {
    assertThatThrownBy(() -> load("kafka.topic: a", "kafka.topic: b"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("kafka.topic");
    assertThatThrownBy(() -> load("kafka.topic: a", "kafka:", "  topic: b"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("kafka.topic is set twice");
  }

  @ParameterizedTest
  @CsvSource({
    "boundary.slack,soon",
    "source.max-buffered-bytes,a lot",
    "source.shard.get-records.max-record-count,many",
    "source.shard.get-records.max-calls-per-second,fast",
    "kafka.key,customer",
    "aws.credentials.provider,MAGIC",
    "source.shard.get-records.max-record-count,0",
    "source.shard.get-records.max-record-count,10001",
    "source.shard.get-records.max-calls-per-second,0",
    "source.shard.get-records.max-calls-per-second,-1",
    "source.shard.get-records.max-calls-per-second,NaN",
    "source.shard.get-records.max-bytes-per-second,0 b"
  })
  void badValueIsNamed(String key, String value) {
    assertThatThrownBy(() -> load(Map.of(key, value)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(value.split(" ")[0]);
  }

  @Test
  void listIsRefused() {
    assertThatThrownBy(() -> load("kafka.topic: [a, b]"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("kafka.topic");
  }

  @Test
  void fileThatIsNoMappingIsRefused() {
    assertThatThrownBy(() -> load("- a", "- b"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("cutover.yaml");
    assertThatThrownBy(() -> load("just text")).isInstanceOf(UsageException.class);
  }

  @Test
  void fileThatIsNoYamlIsRefused() {
    assertThatThrownBy(() -> load("a: b: c: {"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is not YAML");
  }

  @Test
  void absentFileIsRefused() {
    assertThatThrownBy(() -> CutoverConfig.load(Optional.of(dir.resolve("absent")), Map.of()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("absent");
  }

  @Test
  void requiredOptionThatIsNotSetIsNamed() {
    assertThatThrownBy(() -> CutoverConfig.required(new Configuration(), KafkaOptions.TOPIC))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("kafka.topic")
        .hasMessageContaining("-D kafka.topic=");
  }

  // ---- instants

  @ParameterizedTest
  @CsvSource({
    "2026-11-30T00:00:00Z,2026-11-30T00:00:00Z",
    "2026-11-30T01:00:00+01:00,2026-11-30T00:00:00Z",
    "2026-11-30T00:00:00.123Z,2026-11-30T00:00:00.123Z"
  })
  void instantIsIso8601WithAZone(String text, Instant expected) throws IOException {
    assertThat(CutoverConfig.instantIfSet(load("pin.boundary: " + text), PinOptions.BOUNDARY))
        .contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1764460800", "1764460800000", "2026-11-30", "2026-11-30T00:00:00", "yesterday"})
  void anythingElseIsNoInstant(String text) {
    assertThatThrownBy(() -> load("pin.boundary: " + text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("pin.boundary")
        .hasMessageContaining(text)
        .hasMessageContaining("ISO-8601");
  }

  @Test
  void instantBetweenTwoMillisecondsIsRefused() {
    assertThatThrownBy(() -> load("pin.boundary: 2026-11-30T00:00:00.0005Z"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("pin.boundary")
        .hasMessageContaining("milliseconds");
  }

  // ---- the folder

  @ParameterizedTest
  @ValueSource(strings = {"/srv/cutovers/orders", "orders", "s3:bucket", "file:///srv/my orders"})
  void folderIsAUriWithASchemeAndAPath(String dir) {
    assertThatThrownBy(() -> load(Map.of("cutover.dir", dir)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("cutover.dir is " + dir)
        .hasMessageContaining("s3://bucket");
  }
}
