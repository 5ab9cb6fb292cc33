package io.cutover.local.kinesis;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.time.Instant;

/** The two protocols that Kinesis speaks. They differ in instants and in binary data. */
public enum WireFormat {
  /** Binary data as it is, instants in epoch milliseconds. What the SDK speaks by default. */
  CBOR("application/x-amz-cbor-1.1", new ObjectMapper(new CBORFactory())),
  /** Base64, instants in decimal epoch seconds. */
  JSON("application/x-amz-json-1.1", new ObjectMapper());

  private final String contentType;

  @SuppressWarnings("ImmutableEnumChecker") // Never configured after its creation.
  private final ObjectMapper mapper;

  WireFormat(String contentType, ObjectMapper mapper) {
    this.contentType = contentType;
    this.mapper = mapper;
  }

  String contentType() {
    return contentType;
  }

  static WireFormat of(String contentType) {
    return contentType.startsWith(CBOR.contentType) ? CBOR : JSON;
  }

  JsonNode parse(byte[] body) throws IOException {
    return body.length == 0 ? mapper.createObjectNode() : mapper.readTree(body);
  }

  JsonGenerator generator(OutputStream out) throws IOException {
    return mapper.getFactory().createGenerator(out);
  }

  void writeInstant(JsonGenerator json, Instant instant) throws IOException {
    if (this == CBOR) {
      json.writeNumber(instant.toEpochMilli());
    } else {
      json.writeNumber(BigDecimal.valueOf(instant.toEpochMilli(), 3));
    }
  }

  Instant instant(JsonNode node) {
    return this == CBOR
        ? Instant.ofEpochMilli(node.decimalValue().longValue())
        : Instant.ofEpochMilli(node.decimalValue().movePointRight(3).longValue());
  }
}
