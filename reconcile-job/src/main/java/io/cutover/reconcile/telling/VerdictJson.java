package io.cutover.reconcile.telling;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.VerdictReport;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * The JSON of a verdict, a contract for machines: {@code verdict.schema.json} beside this package
 * describes it. Instants and durations are ISO-8601, options are spelled as the configuration
 * spells them, and what does not apply is absent, never null. Fields may be added within a version;
 * none changes its meaning.
 */
final class VerdictJson {

  static final String FORMAT = "cutover-verdict";
  static final int VERSION = 1;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule()
                  .addSerializer(Difference.class, new DifferenceWriter())
                  .addDeserializer(Difference.class, new DifferenceReader()))
          .addModule(optionValues(ReconcileOptions.Require.class))
          .addModule(optionValues(ReconcileOptions.Evidence.class))
          .addModule(optionValues(KafkaOptions.Key.class))
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** The same on every platform. */
  private static final DefaultPrettyPrinter LINES =
      new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));

  private VerdictJson() {}

  static String text(VerdictReport report) {
    try {
      return JSON.writer(LINES).writeValueAsString(document(report)) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a verdict can always be written as JSON", e);
    }
  }

  private static ObjectNode document(VerdictReport report) {
    ObjectNode document = head(report);
    document.setAll(JSON.<ObjectNode>valueToTree(report));
    return document;
  }

  /** What a report says in short; all of it follows from the rest. */
  private static ObjectNode head(VerdictReport report) {
    ObjectNode head = JSON.createObjectNode();
    head.put("format", FORMAT)
        .put("version", VERSION)
        .put("verdict", report.verdict().name())
        .put("exitCode", report.verdict().exitCode());
    var reasons = head.putArray("reasons");
    report.reasons().forEach(finding -> reasons.add(finding.code().name()));
    return head;
  }

  /**
   * What {@link #text} wrote.
   *
   * @throws IOException when it is something else: another format or version, a field that is
   *     missing or unknown, a verdict that its findings do not force
   */
  static VerdictReport report(String text) throws IOException {
    JsonNode tree = JSON.readTree(text);
    if (!(tree instanceof ObjectNode document)
        || !tree.path("format").asText().equals(FORMAT)
        || tree.path("version").asInt() != VERSION) {
      throw new IOException("no " + FORMAT + " of version " + VERSION);
    }
    ObjectNode head = JSON.createObjectNode();
    for (String name : List.of("format", "version", "verdict", "exitCode", "reasons")) {
      head.set(name, document.path(name));
      document.remove(name);
    }
    VerdictReport report = JSON.treeToValue(document, VerdictReport.class);
    if (!head.equals(head(report))) {
      throw new IOException("its findings force " + head(report) + ", but it says " + head);
    }
    return report;
  }

  /** An option's value is written as in the configuration: in lower case, with hyphens. */
  private static <E extends Enum<E>> SimpleModule optionValues(Class<E> type) {
    return new SimpleModule("values of " + type.getName())
        .addSerializer(
            type,
            new JsonSerializer<E>() {
              @Override
              public void serialize(E value, JsonGenerator out, SerializerProvider provider)
                  throws IOException {
                out.writeString(Words.option(value));
              }
            })
        .addDeserializer(
            type,
            new JsonDeserializer<E>() {
              @Override
              public E deserialize(JsonParser in, DeserializationContext context)
                  throws IOException {
                String value = in.getValueAsString("");
                try {
                  return Enum.valueOf(type, value.toUpperCase(Locale.ROOT).replace('-', '_'));
                } catch (IllegalArgumentException e) {
                  throw new JsonMappingException(in, "\"" + value + "\" is no " + type, e);
                }
              }
            });
  }

  private static final class DifferenceWriter extends JsonSerializer<Difference> {
    @Override
    public void serialize(Difference value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeTree(DifferenceJson.of(value));
    }
  }

  private static final class DifferenceReader extends JsonDeserializer<Difference> {
    @Override
    public Difference deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      return DifferenceJson.difference(context.readTree(in));
    }
  }
}
