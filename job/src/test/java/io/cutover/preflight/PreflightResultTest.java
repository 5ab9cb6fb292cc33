package io.cutover.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.Refusal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PreflightResultTest {

  private static final Check GOOD = Check.pass(CheckName.STREAM_ACTIVE, "ACTIVE", "ACTIVE");
  private static final Check BAD =
      Check.fail(
          CheckName.TOPIC_RETENTION,
          "retention.ms 604800000 ms (7 d)",
          "-1, or at least 31 d",
          Remedy.command(
              "kafka-configs.sh --bootstrap-server broker-1.example:9092,broker-2.example:9092"
                  + " --alter --entity-type topics --entity-name orders --add-config"
                  + " retention.ms=-1"));
  private static final Check UNSEEN =
      Check.unknown(
          CheckName.TOPIC_MIN_ISR, "may not be described", "at least 2", Remedy.advice("look"));

  private static PreflightResult of(Check... checks) {
    return new PreflightResult("910a8497894f28d2", List.of(checks));
  }

  private static Check waived(Check check) {
    return check.waivedIn(EnumSet.of(check.name()));
  }

  @Test
  void passesOnlyWithNothingFailedAndNothingUnknown() {
    assertThat(of(GOOD).passed()).isTrue();
    assertThat(of(GOOD, BAD).passed()).isFalse();
    assertThat(of(GOOD, UNSEEN).passed()).isFalse();
    assertThat(of(GOOD, waived(UNSEEN)).passed()).isTrue();
  }

  @Test
  void onlyTheUnknownCanBeWaived() {
    assertThat(waived(UNSEEN).verdict()).isEqualTo(Verdict.WAIVED);
    assertThat(waived(BAD).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(waived(BAD).note()).contains("a failure cannot be waived, only what is unknown");
    assertThat(waived(GOOD)).isEqualTo(GOOD);
    assertThat(UNSEEN.waivedIn(Set.of(CheckName.TOPIC_RETENTION))).isEqualTo(UNSEEN);
    assertThat(of(GOOD, waived(UNSEEN)).waivers()).containsExactly(waived(UNSEEN));
  }

  @Test
  void summaryNamesWhatKeepsTheCopyFromBeginning() {
    assertThat(of(GOOD).summary()).isEqualTo("all 1 checks passed");
    assertThat(of(GOOD, waived(UNSEEN)).summary())
        .isEqualTo("all 2 checks passed, of which waived as unknown: topic-min-isr");
    assertThat(of(GOOD, BAD, UNSEEN).summary())
        .isEqualTo(
            "1 of 3 checks failed: topic-retention; 1 of 3 cannot be found out: topic-min-isr");
    assertThatThrownBy(of(GOOD, UNSEEN)::orRefuse)
        .isInstanceOf(Refusal.class)
        .hasMessage("1 of 2 cannot be found out: topic-min-isr [PREFLIGHT_FAILED]");
    of(GOOD).orRefuse();
  }

  @Test
  void tableFitsATerminalAndPutsTheRemedyBelow() {
    assertThat(of(GOOD, BAD, waived(UNSEEN)).table())
        .isEqualTo(
            """
            verdict  check                       found                            wanted
            pass     stream-active               ACTIVE                           ACTIVE
            FAIL     topic-retention             retention.ms 604800000 ms (7 d)  -1, or at least 31 d
                     mend: kafka-configs.sh --bootstrap-server broker-1.example:9092,broker-2.example:9092 \\
                           --alter --entity-type topics --entity-name orders --add-config retention.ms=-1
            WAIVED   topic-min-isr               may not be described             at least 2
                     mend: look
            """);
  }

  @Test
  void wordLongerThanItsColumnIsBrokenButOneToBePastedIsNot() {
    String word = "x".repeat(25);
    assertThat(PreflightTable.wrapped("a " + word, 10, true))
        .containsExactly("a", "x".repeat(10), "x".repeat(10), "x".repeat(5));
    assertThat(PreflightTable.wrapped("a " + word, 10, false)).containsExactly("a", word);
  }

  @Test
  void jsonHoldsEveryCheck() throws Exception {
    JsonNode document = new ObjectMapper().readTree(of(GOOD, waived(BAD)).json());

    assertThat(document)
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"format": "cutover-preflight", "version": 1, "pin": "910a8497894f28d2",
                     "passed": false, "summary": "1 of 2 checks failed: topic-retention",
                     "checks": [
                       {"name": "stream-active", "verdict": "PASS",
                        "found": "ACTIVE", "wanted": "ACTIVE"},
                       {"name": "topic-retention", "verdict": "FAIL",
                        "found": "retention.ms 604800000 ms (7 d)",
                        "wanted": "-1, or at least 31 d",
                        "remedy": "%s",
                        "note": "a failure cannot be waived, only what is unknown"}]}
                    """
                        .formatted(BAD.remedy().orElseThrow().text())));
  }

  @Test
  void namesOfChecksAreTheSameForEver() {
    assertThat(Arrays.stream(CheckName.values()).map(CheckName::toString))
        .containsExactlyElementsOf(
            Stream.of(
                    "kinesis-reachable kinesis-rights stream-active stream-pinned",
                    "stream-distribution stream-boundary stream-headroom stream-shards",
                    "kafka-reachable topic-exists topic-rights topic-pinned topic-partitions",
                    "topic-timestamp-type topic-timestamp-before topic-retention",
                    "topic-retention-bytes topic-cleanup-policy topic-record-size topic-min-isr",
                    "topic-unclean-election producer-request-size producer-buffer",
                    "topic-transactions copy-transactions transactional-id transaction-timeout",
                    "broker-transaction-timeout")
                .flatMap(line -> Stream.of(line.split(" ")))
                .toList());
  }
}
