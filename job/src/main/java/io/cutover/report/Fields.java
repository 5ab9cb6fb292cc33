package io.cutover.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The fields of a JSON object, each of which must be there and be what it is asked as: nothing is
 * taken for granted or converted.
 *
 * <p>All methods throw {@link IllegalArgumentException}, which names the field, when it is not.
 */
record Fields(JsonNode json) {

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  Fields {
    if (!json.isObject()) {
      throw new IllegalArgumentException("there is no object");
    }
  }

  String text(String name) {
    JsonNode field = json.path(name);
    if (!field.isTextual()) {
      throw new IllegalArgumentException(name + " is no text");
    }
    return field.textValue();
  }

  /** What is made of a text; whatever the function throws says that it is none of its kind. */
  <T> T parsed(String name, Function<String, T> parser) {
    String text = text(name);
    try {
      return parser.apply(text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(name + " is malformed: " + text, e);
    }
  }

  /** An integral number, at least 0. */
  long count(String name) {
    JsonNode field = json.path(name);
    if (!field.isIntegralNumber() || !field.canConvertToLong() || field.longValue() < 0) {
      throw new IllegalArgumentException(name + " is no count");
    }
    return field.longValue();
  }

  /** Decimal digits. */
  String sequence(String name) {
    String digits = text(name);
    if (!DIGITS.matcher(digits).matches()) {
      throw new IllegalArgumentException(name + " is no sequence number: " + digits);
    }
    return digits;
  }

  Fields object(String name) {
    return optional(name).orElseThrow(() -> new IllegalArgumentException(name + " is not there"));
  }

  /** An object that need not be there. */
  Optional<Fields> optional(String name) {
    if (!json.has(name)) {
      return Optional.empty();
    }
    if (!json.get(name).isObject()) {
      throw new IllegalArgumentException(name + " is no object");
    }
    return Optional.of(new Fields(json.get(name)));
  }

  List<JsonNode> array(String name) {
    JsonNode field = json.path(name);
    if (!field.isArray()) {
      throw new IllegalArgumentException(name + " is no array");
    }
    List<JsonNode> elements = new ArrayList<>();
    field.forEach(elements::add);
    return elements;
  }
}
