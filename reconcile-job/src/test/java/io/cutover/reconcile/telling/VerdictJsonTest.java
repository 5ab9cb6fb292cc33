package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.reconcile.verdict.ReportDraft;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerdictJsonTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<VerdictReport> reports() {
    return Reports.all().values().stream();
  }

  private static ObjectNode tree(VerdictReport report) throws IOException {
    return (ObjectNode) JSON.readTree(VerdictJson.text(report));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void whatWasWrittenIsReadAgain(VerdictReport report) throws IOException {
    assertThat(VerdictJson.report(VerdictJson.text(report))).isEqualTo(report);
  }

  @ParameterizedTest
  @MethodSource("reports")
  void nothingIsNull(VerdictReport report) throws IOException {
    List<JsonNode> nulls = new ArrayList<>();
    each(tree(report), node -> Stream.of(node).filter(JsonNode::isNull).forEach(nulls::add));
    assertThat(nulls).isEmpty();
  }

  private static void each(JsonNode node, Consumer<JsonNode> consumer) {
    consumer.accept(node);
    node.forEach(child -> each(child, consumer));
  }

  @Test
  void verdictStandsFirstWithItsExitCodeAndReasons() throws IOException {
    ObjectNode json = tree(Reports.inconclusive());
    assertThat(json.fieldNames())
        .toIterable()
        .startsWith("format", "version", "verdict", "exitCode", "reasons");
    assertThat(json.path("format").asText()).isEqualTo("cutover-verdict");
    assertThat(json.path("version").asInt()).isEqualTo(1);
    assertThat(json.path("verdict").asText()).isEqualTo("INCONCLUSIVE");
    assertThat(json.path("exitCode").asInt()).isEqualTo(3);
    assertThat(json.path("reasons").toString()).isEqualTo("[\"OPEN_TRANSACTION\"]");
  }

  @Test
  void timesAreIsoAndOptionsAreSpelledAsConfigured() throws IOException {
    ObjectNode json = tree(Reports.partial());
    assertThat(json.at("/run/finishedAt").asText()).isEqualTo("2026-11-30T02:07:31.250Z");
    assertThat(json.at("/settings").toString())
        .isEqualTo(
            "{\"require\":\"identical\",\"toleranceFloor\":5,\"tolerancePpm\":200,"
                + "\"evidence\":\"reread\",\"acceptExpiredBefore\":\"2026-11-23T02:00:00Z\","
                + "\"sampleBuckets\":0,\"slack\":\"PT10M\",\"key\":\"none\"}");
  }

  @Test
  void recordWithoutCounterpartHasNoFieldsOfIt() throws IOException {
    JsonNode samples = tree(Reports.mismatch()).at("/differences/samples");
    assertThat(samples.get(0).toString())
        .isEqualTo(
            "{\"kind\":\"MISSING\",\"shard\":\"shardId-000000000003\",\"sequence\":"
                + "\"49642017335817640133250108476410292843561834672498180098\","
                + "\"arrival\":\"2026-11-23T20:00:00.417Z\",\"places\":[]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/format",
        "/version",
        "/verdict",
        "/exitCode",
        "/reasons",
        "/run",
        "/run/startedAt",
        "/scope/boundary",
        "/scope/whole",
        "/settings/require",
        "/totals/kafkaOutside",
        "/windows",
        "/windows/0/state",
        "/windows/0/kinesis/bytes",
        "/findings/0/text",
        "/differences/counts",
        "/differences/samples/0/kind",
        "/coverage/tiles",
        "/timings/read"
      })
  void reportThatLacksAFieldIsRefused(String pointer) throws IOException {
    ObjectNode json = tree(Reports.mismatch());
    int slash = pointer.lastIndexOf('/');
    JsonNode parent = json.at(pointer.substring(0, slash));
    assertThat(((ObjectNode) parent).remove(pointer.substring(slash + 1))).isNotNull();
    assertThatThrownBy(() -> VerdictJson.report(json.toString())).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/run", "/windows/3/kafka", "/differences/samples/0"})
  void reportWithAnUnknownFieldIsRefused(String pointer) throws IOException {
    ObjectNode json = tree(Reports.mismatch());
    ((ObjectNode) json.at(pointer)).put("unheardOf", 1);
    assertThatThrownBy(() -> VerdictJson.report(json.toString())).isInstanceOf(IOException.class);
  }

  @Test
  void verdictThatItsFindingsDoNotForceIsRefused() throws IOException {
    ObjectNode json = tree(Reports.mismatch());
    json.put("verdict", "CLEARED").put("exitCode", 0).putArray("reasons");
    assertThatThrownBy(() -> VerdictJson.report(json.toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("MISMATCH");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"format\":\"cutover-pin\",\"version\":1}", "{\"a\":"})
  void whatIsNoVerdictIsRefused(String text) {
    assertThatThrownBy(() -> VerdictJson.report(text)).isInstanceOf(IOException.class);
  }

  @Test
  void equalReportsAreEqualBytes() {
    ReportDraft draft = Reports.clean(3);
    assertThat(VerdictJson.text(draft.report())).isEqualTo(VerdictJson.text(draft.report()));
  }
}
