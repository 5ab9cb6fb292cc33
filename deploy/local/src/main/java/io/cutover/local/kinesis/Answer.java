package io.cutover.local.kinesis;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What an action answers.
 *
 * @param records how many records are on the page, for GetRecords; otherwise 0
 * @param size a guess at the length of the body in bytes
 */
record Answer(Body body, int records, int size) {

  /** Writes the fields of the answer's object. */
  interface Body {
    void write(JsonGenerator json, WireFormat format) throws IOException;
  }

  /** Bytes that need not be copied once more to be sent. */
  static final class Bytes extends ByteArrayOutputStream {
    Bytes(int size) {
      super(size);
    }

    byte[] array() {
      return buf;
    }

    int length() {
      return count;
    }
  }

  static Answer of(Body body) {
    return new Answer(body, 0, 1024);
  }

  static Answer empty() {
    return of((json, format) -> {});
  }

  Bytes encode(WireFormat format) {
    Bytes bytes = new Bytes(size);
    try (JsonGenerator json = format.generator(bytes)) {
      json.writeStartObject();
      body.write(json, format);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("an answer could not be encoded", e);
    }
    return bytes;
  }
}
