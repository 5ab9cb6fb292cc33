package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema is the contract: what is written keeps to it, and it names nothing else. */
class VerdictSchemaTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode SCHEMA = schema();

  private static JsonNode schema() {
    try (InputStream in =
        VerdictReport.class.getResourceAsStream("/io/cutover/reconcile/verdict.schema.json")) {
      return JSON.readTree(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static Stream<VerdictReport> reports() {
    return Reports.all().values().stream();
  }

  @ParameterizedTest
  @MethodSource("reports")
  void whatIsWrittenKeepsToTheSchema(VerdictReport report) throws IOException {
    JsonNode json = JSON.readTree(VerdictJson.text(report));
    var schema = JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(SCHEMA);
    assertThat(schema.validate(json)).isEmpty();
  }

  @Test
  void whatIsOutsideOfTheSchemaIsNoticed() throws IOException {
    var schema = JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(SCHEMA);
    JsonNode json = JSON.readTree(VerdictJson.text(Reports.mismatch()));
    each(
        json,
        "",
        (path, node) -> {
          if (node.isObject() && !path.equals("/differences/counts")) {
            var changed = json.deepCopy();
            ((ObjectNode) changed.at(path)).put("unheardOf", 1);
            assertThat(schema.validate(changed)).as(path).isNotEmpty();
          }
        },
        1);
  }

  @Test
  void everyObjectIsClosedAndEveryFieldDescribed() {
    each(
        SCHEMA,
        "",
        (path, node) -> {
          if (node.has("properties")) {
            assertThat(node.path("additionalProperties").toString()).as(path).isEqualTo("false");
            node.path("properties")
                .forEach(field -> assertThat(field.path("description").asText()).isNotBlank());
          }
        },
        Integer.MAX_VALUE);
  }

  @Test
  void everyFieldOfTheSchemaIsWrittenByAReport() throws IOException {
    Set<String> declared = new TreeSet<>();
    each(
        SCHEMA,
        "",
        (path, node) -> node.path("properties").fieldNames().forEachRemaining(declared::add),
        Integer.MAX_VALUE);
    Set<String> written = new TreeSet<>();
    for (VerdictReport report : Reports.all().values()) {
      JsonNode json = JSON.readTree(VerdictJson.text(report));
      each(
          json,
          "",
          (path, node) -> {
            if (!path.equals("/differences/counts")) {
              node.fieldNames().forEachRemaining(written::add);
            }
          },
          Integer.MAX_VALUE);
    }
    assertThat(written).isEqualTo(declared);
  }

  @Test
  void everyCodeAndKindIsInTheSchema() {
    assertThat(SCHEMA.at("/$defs/code/enum"))
        .map(JsonNode::asText)
        .containsExactlyElementsOf(Stream.of(FindingCode.values()).map(Enum::name).toList());
    assertThat(SCHEMA.at("/$defs/kind/enum"))
        .map(JsonNode::asText)
        .containsExactlyElementsOf(Stream.of(Difference.Kind.values()).map(Enum::name).toList());
  }

  /**
   * Visits the node and all below it.
   *
   * @param most so many elements of each array
   */
  private static void each(
      JsonNode node, String path, BiConsumer<String, JsonNode> visit, int most) {
    visit.accept(path, node);
    if (node.isObject()) {
      node.properties()
          .forEach(field -> each(field.getValue(), path + "/" + field.getKey(), visit, most));
    }
    for (int i = 0; node.isArray() && i < Math.min(most, node.size()); i++) {
      each(node.get(i), path + "/" + i, visit, most);
    }
  }
}
