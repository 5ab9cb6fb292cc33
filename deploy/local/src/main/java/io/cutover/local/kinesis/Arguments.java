package io.cutover.local.kinesis;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/** The fields of a request, each absent or of the type that the action asks for. */
record Arguments(JsonNode node, WireFormat format) {

  Optional<String> text(String field) {
    return present(node, field).map(JsonNode::asText);
  }

  String requiredText(String field) {
    return text(field)
        .orElseThrow(() -> KinesisError.validation("the request lacks the field " + field));
  }

  OptionalInt number(String field) {
    return present(node, field)
        .map(value -> OptionalInt.of(value.asInt()))
        .orElse(OptionalInt.empty());
  }

  /** A number that has to lie within bounds when it is there. */
  int number(String field, int least, int most, int otherwise) {
    int value = number(field).orElse(otherwise);
    if (value < least || value > most) {
      throw KinesisError.validation(
          field + " has to lie within [" + least + ", " + most + "], but is " + value);
    }
    return value;
  }

  Optional<Instant> instant(String field) {
    return present(node, field).map(format::instant);
  }

  byte[] requiredBytes(String field) {
    try {
      return present(node, field)
          .orElseThrow(() -> KinesisError.validation("the request lacks the field " + field))
          .binaryValue();
    } catch (IOException e) {
      throw new KinesisError("SerializationException", 400, field + " is not binary data");
    }
  }

  Optional<Arguments> object(String field) {
    return present(node, field).map(value -> new Arguments(value, format));
  }

  Iterable<JsonNode> list(String field) {
    return node.path(field);
  }

  private static Optional<JsonNode> present(JsonNode in, String field) {
    return Optional.ofNullable(in.get(field)).filter(value -> !value.isNull());
  }
}
