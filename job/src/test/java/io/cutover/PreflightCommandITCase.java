package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedStream.Mode;
import io.cutover.preflight.PreflightRig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command preflight as a person and a script meet it. */
class PreflightCommandITCase {

  private static EmbeddedKafka broker;

  @TempDir private Path dir;

  private PreflightRig rig;

  /**
   * @param out what it printed on standard output
   * @param err what it printed on standard error
   */
  record Said(int code, String out, String err) {}

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void rig() {
    rig = new PreflightRig(broker, dir);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void spoilFiveTimes() {
    rig.stream().mode(Mode.ON_DEMAND).distributionStrategy(Optional.of("AUTO"));
    rig.alterTopic("retention.ms", "604800000").alterTopic("max.message.bytes", "1048588");
    rig.alterTopic("message.timestamp.type", "LogAppendTime");
    rig.alterTopic("unclean.leader.election.enable", "true");
  }

  @Test
  void cleanPreflightEndsWith0AndSaysThatTheCopyMayBegin() {
    rig.pin();

    Said said = preflight();

    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .startsWith("Preflight of copy ")
        .endsWith("The copy may begin: all 28 checks passed.\n")
        .doesNotContain("FAIL", "mend");
  }

  @Test
  void fiveFailuresEndWith3AndEachHasItsRemedyBelowIt() {
    rig.pin();
    spoilFiveTimes();

    Said said = preflight();

    assertThat(said.code()).isEqualTo(3);
    assertThat(said.out().lines().filter(line -> line.startsWith("FAIL"))).hasSize(5);
    assertThat(said.out().lines().filter(line -> line.startsWith("         mend: "))).hasSize(5);
    assertThat(said.out()).doesNotContain("may begin");
    assertThat(said.out().lines()).allMatch(line -> line.length() <= 100);
    assertThat(said.err())
        .isEqualTo(
            "preflight: 5 of 28 checks failed: stream-distribution, topic-timestamp-type,"
                + " topic-retention, topic-record-size, topic-unclean-election"
                + " [PREFLIGHT_FAILED]\n");
  }

  @Test
  void jsonIsOneDocumentAndNothingElse() throws Exception {
    rig.pin();

    Said clean = preflight("--json");
    JsonNode document = new ObjectMapper().readTree(clean.out());

    assertThat(clean.code()).isZero();
    assertThat(document.path("format").asText()).isEqualTo("cutover-preflight");
    assertThat(document.path("version").asInt()).isEqualTo(1);
    assertThat(document.path("passed").asBoolean()).isTrue();
    assertThat(document.path("checks")).hasSize(28);

    spoilFiveTimes();
    Said spoilt = preflight("--json");
    JsonNode failed = new ObjectMapper().readTree(spoilt.out());

    assertThat(spoilt.code()).isEqualTo(3);
    assertThat(failed.path("passed").asBoolean()).isFalse();
    assertThat(failed.path("checks").findValues("remedy")).hasSize(5);
  }

  @Test
  void withoutAPinThereIsNothingToCheck() {
    Said said = preflight("--json");

    assertThat(said.code()).isEqualTo(3);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).contains("there is no pin", "[PIN_MISSING]");
  }

  @Test
  void waiverOfACheckThatThereIsNotEndsWith64() {
    rig.pin().set("preflight.waive", "everything");

    Said said = preflight();

    assertThat(said.code()).isEqualTo(64);
    assertThat(said.err()).contains("preflight.waive names everything", "kinesis-reachable, ");
  }

  private Said preflight(String... more) {
    List<String> args = new ArrayList<>(List.of("preflight"));
    args.addAll(List.of(more));
    args.addAll(List.of(rig.args()));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ByteArrayOutputStream complained = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    int code;
    try {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
      code = new CutoverJob().run(new StringBuilder(), args.toArray(String[]::new));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return new Said(
        code,
        printed.toString(StandardCharsets.UTF_8),
        complained.toString(StandardCharsets.UTF_8));
  }
}
