package io.cutover.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.preflight.Told.Why;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one broker on one machine cannot show. */
class TopicConfigChecksTest {

  private static final Need NEED = new Need(Duration.ofDays(37), Duration.ofDays(36), 1024);

  private final Map<String, String> config =
      new HashMap<>(
          Map.of(
              "message.timestamp.type", "CreateTime",
              "message.timestamp.before.max.ms", "9223372036854775807",
              "retention.ms", "-1",
              "retention.bytes", "-1",
              "cleanup.policy", "delete",
              "max.message.bytes", "2000000",
              "min.insync.replicas", "2",
              "unclean.leader.election.enable", "false"));

  private Check check(CheckName name, int replicas) {
    return checks(Told.known(config), replicas).stream()
        .filter(check -> check.name() == name)
        .findFirst()
        .orElseThrow();
  }

  private static List<Check> checks(Told<Map<String, String>> config, int replicas) {
    KafkaCommands commands = new KafkaCommands("broker:9092", "orders", new Configuration());
    return new TopicConfigChecks(config, NEED, replicas, commands).all();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, PASS", "2, 1, PASS", "3, 1, FAIL", "3, 2, PASS", "3, 3, PASS", "5, 1, FAIL"})
  void twoInSyncReplicasAreWantedOfThree(int replicas, String inSync, Verdict verdict) {
    config.put("min.insync.replicas", inSync);

    assertThat(check(CheckName.TOPIC_MIN_ISR, replicas).verdict()).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({
    // 37 days, and one millisecond less
    "TOPIC_RETENTION, retention.ms, 3196800000, PASS",
    "TOPIC_RETENTION, retention.ms, 3196799999, FAIL",
    "TOPIC_TIMESTAMP_BEFORE, message.timestamp.before.max.ms, 3110400000, PASS",
    "TOPIC_TIMESTAMP_BEFORE, message.timestamp.before.max.ms, 3110399999, FAIL",
    "TOPIC_RECORD_SIZE, max.message.bytes, 1054720, PASS",
    "TOPIC_RECORD_SIZE, max.message.bytes, 1054719, FAIL"
  })
  void limitsAreExact(CheckName name, String setting, String value, Verdict verdict) {
    config.put(setting, value);

    assertThat(check(name, 3).verdict()).isEqualTo(verdict);
  }

  @Test
  void olderBrokersHaveOneLimitForBothSidesOfNow() {
    config.remove("message.timestamp.before.max.ms");
    config.put("message.timestamp.difference.max.ms", "3600000");

    Check check = check(CheckName.TOPIC_TIMESTAMP_BEFORE, 3);
    assertThat(check.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(check.remedy().orElseThrow().text())
        .contains("--add-config message.timestamp.difference.max.ms=");
  }

  @Test
  void settingThatTheBrokersLeaveOutIsUnknownAndNeverPasses() {
    config.remove("unclean.leader.election.enable");

    Check check = check(CheckName.TOPIC_UNCLEAN_ELECTION, 3);
    assertThat(check.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(check.found()).isEqualTo("unclean.leader.election.enable: not told");
    assertThat(check.remedy().orElseThrow().text()).contains("waive topic-unclean-election");
  }

  @Test
  void settingsOfWhichNothingIsKnownAreUnknownAndNeverPass() {
    for (Why why : Why.values()) {
      assertThat(checks(Told.untold(why, "whatever"), 1))
          .hasSize(8)
          .allMatch(check -> check.verdict() == Verdict.UNKNOWN);
    }
  }

  @Test
  void toolsAreToldTheClientPropertiesToo() {
    Configuration withFile =
        Configuration.fromMap(Map.of("kafka.client.properties", "conf/kafka-client.properties"));

    assertThat(new KafkaCommands("b:1", "orders", withFile).alterTopic("a", "b").text())
        .startsWith(
            "kafka-configs.sh --bootstrap-server b:1 --command-config"
                + " conf/kafka-client.properties --alter");
  }
}
