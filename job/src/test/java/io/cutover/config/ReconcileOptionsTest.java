package io.cutover.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.UsageException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReconcileOptionsTest {

  private static Configuration load(Map<String, String> overrides) {
    return CutoverConfig.load(Optional.empty(), overrides);
  }

  @Test
  void nothingSetIsTheGate() {
    Configuration config = load(Map.of());
    assertThat(config.get(ReconcileOptions.REQUIRE)).isEqualTo(ReconcileOptions.Require.IDENTICAL);
    assertThat(config.get(ReconcileOptions.EVIDENCE)).isEqualTo(ReconcileOptions.Evidence.AUTO);
    assertThat(config.get(ReconcileOptions.TOLERANCE_FLOOR)).isEqualTo(5);
    assertThat(config.get(ReconcileOptions.TOLERANCE_PPM)).isEqualTo(200);
    assertThat(config.get(ReconcileOptions.SLACK)).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.get(ReconcileOptions.HEADROOM)).isEqualTo(Duration.ofMinutes(30));
    assertThat(config.get(ReconcileOptions.OPEN_TRANSACTION_TIMEOUT))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(config.get(ReconcileOptions.SAMPLE_BUCKETS)).isEqualTo(20);
    assertThat(config.getOptional(ReconcileOptions.FROM)).isEmpty();
    assertThat(config.getOptional(ReconcileOptions.TO)).isEmpty();
    assertThat(config.getOptional(ReconcileOptions.ACCEPT_EXPIRED_BEFORE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tolerance", "TOLERANCE", "Tolerance"})
  void choiceIsReadHoweverItIsSpelt(String value) {
    assertThat(load(Map.of("reconcile.require", value)).get(ReconcileOptions.REQUIRE))
        .isEqualTo(ReconcileOptions.Require.TOLERANCE);
  }

  @Test
  void everyEvidenceCanBeAskedFor() {
    for (ReconcileOptions.Evidence evidence : ReconcileOptions.Evidence.values()) {
      assertThat(
              load(Map.of("reconcile.evidence", evidence.toString()))
                  .get(ReconcileOptions.EVIDENCE))
          .isEqualTo(evidence);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tolerance.floor, 0",
    "tolerance.ppm, 0",
    "tolerance.ppm, 1000000",
    "reconcile.slack, 0",
    "reconcile.headroom, 61 s",
    "reconcile.open-transaction-timeout, 0",
    "reconcile.sample-buckets, 0",
    "reconcile.pushgateway, http://pushgateway:9091",
    "reconcile.pushgateway, https://pushgateway/"
  })
  void endOfTheRangeIsTaken(String key, String value) {
    assertThat(load(Map.of(key, value)).toMap()).containsKey(key);
  }

  @ParameterizedTest
  @CsvSource({
    "tolerance.floor, -1, '-1, but must be 0 or above'",
    "tolerance.ppm, -1, '-1, but must be from 0 to 1000000'",
    "tolerance.ppm, 1000001, '1000001, but must be from 0 to 1000000'",
    "reconcile.slack, PT-1S, negative duration is not supported",
    "reconcile.headroom, PT-1S, negative duration is not supported",
    "reconcile.headroom, 60 s, 'PT1M, but must be above source.retention-margin, PT1M'",
    "reconcile.open-transaction-timeout, PT-1S, negative duration is not supported",
    "reconcile.sample-buckets, -1, '-1, but must be 0 or above'",
    "reconcile.pushgateway, pushgateway:9091, 'must be http://HOST:PORT'",
    "reconcile.pushgateway, http://user:secret@pushgateway:9091, 'must be http://HOST:PORT'",
    "reconcile.pushgateway, http://pushgateway:9091/metrics, 'must be http://HOST:PORT'",
    "reconcile.pushgateway, http://pushgateway:99999, 'must be http://HOST:PORT'",
    "reconcile.pushgateway, http://push_gateway:9091, 'must be http://HOST:PORT'"
  })
  void valueOutOfItsRangeIsRefused(String key, String value, String why) {
    assertThatThrownBy(() -> load(Map.of(key, value)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @CsvSource({
    "reconcile.require, roughly",
    "reconcile.evidence, hearsay",
    "tolerance.floor, few",
    "tolerance.floor, 5.5",
    "tolerance.ppm, 0.02%",
    "reconcile.slack, 10",
    "reconcile.headroom, some",
    "reconcile.open-transaction-timeout, 60",
    "reconcile.sample-buckets, all"
  })
  void whatIsNotOfItsTypeIsRefused(String key, String value) {
    assertThatThrownBy(() -> load(Map.of(key, value)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(value);
  }

  @Test
  void misspeltChoiceIsAnsweredWithAll() {
    assertThatThrownBy(() -> load(Map.of("reconcile.evidence", "witnes")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("auto, reread, witness")
        .hasMessageContaining("did you mean witness?");
  }

  private static Iterable<ConfigOption<String>> instants() {
    return List.of(
        ReconcileOptions.FROM, ReconcileOptions.TO, ReconcileOptions.ACCEPT_EXPIRED_BEFORE);
  }

  @Test
  void instantsAreIso8601WithAZone() {
    for (ConfigOption<String> option : instants()) {
      Configuration config = load(Map.of(option.key(), "2026-11-30T01:00:00.250+01:00"));
      assertThat(CutoverConfig.instantIfSet(config, option))
          .contains(Instant.parse("2026-11-30T00:00:00.250Z"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1764460800", "2026-11-30", "2026-11-30T00:00:00", "yesterday"})
  void anythingElseIsNoInstant(String text) {
    for (ConfigOption<String> option : instants()) {
      assertThatThrownBy(() -> load(Map.of(option.key(), text)))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining(option.key())
          .hasMessageContaining(text)
          .hasMessageContaining("ISO-8601");
    }
  }
}
