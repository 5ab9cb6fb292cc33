package io.cutover.pin;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.cutover.tally.Sha256;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * The JSON of a pin: instants and durations in ISO-8601, hash keys as strings, since they are too
 * large for the numbers of many readers. Every field must be there, and no other.
 */
final class PinJson {

  static final String FORMAT = "cutover-pin";
  static final int VERSION = 1;

  private static final String CHECKSUM = "checksum";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(new Jdk8Module())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .withConfigOverride(
              BigInteger.class,
              override -> override.setFormat(JsonFormat.Value.forShape(JsonFormat.Shape.STRING)))
          .build();

  /** The same on every platform. */
  private static final DefaultPrettyPrinter LINES =
      new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));

  private PinJson() {}

  /** The pin alone. */
  static String text(Pin pin) {
    return JSON.valueToTree(pin).toString();
  }

  /** What {@link #text} wrote. */
  static Pin pin(String text) {
    try {
      return JSON.readValue(text, Pin.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a pin does not read what it wrote", e);
    }
  }

  /** The pin as a file holds it, with its format, its id and a checksum over all of it. */
  static ObjectNode document(Pin pin) {
    ObjectNode document = JSON.createObjectNode();
    document.put("format", FORMAT).put("version", VERSION).put("id", pin.id());
    document.setAll(JSON.<ObjectNode>valueToTree(pin));
    return document.put(CHECKSUM, checksum(document));
  }

  /** The bytes of that file. */
  static byte[] file(Pin pin) {
    try {
      return (JSON.writer(LINES).writeValueAsString(document(pin)) + "\n")
          .getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a pin can always be written as JSON", e);
    }
  }

  static JsonNode tree(byte[] file) throws IOException {
    return JSON.readTree(file);
  }

  /** Over the document's values as they stand, whatever the white space. */
  static boolean checksumHolds(ObjectNode document) {
    return document.path(CHECKSUM).asText().equals(checksum(document));
  }

  private static String checksum(ObjectNode document) {
    byte[] unsigned =
        document.deepCopy().without(CHECKSUM).toString().getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(Sha256.begun().digest(unsigned));
  }

  static Pin pin(ObjectNode document) throws JsonProcessingException {
    ObjectNode pin = document.deepCopy();
    pin.remove(List.of("format", "version", "id", CHECKSUM));
    return JSON.treeToValue(pin, Pin.class);
  }
}
