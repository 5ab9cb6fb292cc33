package io.cutover.reconcile.plan;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.cutover.source.VersionedType;
import io.cutover.tally.Tallies;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * What travels between the parts of one reconciliation, and is never kept: a few large values, as
 * JSON. Records themselves do not travel so.
 */
public final class InFlight {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .addModule(
              new SimpleModule()
                  .addSerializer(Tallies.class, new TalliesOut())
                  .addDeserializer(Tallies.class, new TalliesIn()))
          .build();

  private InFlight() {}

  /** Flink's description of such a value. */
  public static <T> VersionedType<T> type(Class<T> type) {
    return new VersionedType<>(type, () -> new Serializer<>(type));
  }

  /** The value as text. */
  static byte[] bytes(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (IOException e) {
      throw new IllegalStateException(value.getClass() + " does not travel", e);
    }
  }

  /** The value of {@link #bytes}. */
  static <T> T value(Class<T> type, byte[] bytes) {
    try {
      return JSON.readValue(bytes, type);
    } catch (IOException e) {
      throw new IllegalStateException(type + " does not arrive as it was sent", e);
    }
  }

  private record Serializer<T>(Class<T> type) implements SimpleVersionedSerializer<T> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(T value) {
      return bytes(value);
    }

    @Override
    public T deserialize(int version, byte[] serialized) {
      return value(type, serialized);
    }
  }

  private static final class TalliesOut extends StdSerializer<Tallies> {
    private static final long serialVersionUID = 1L;

    TalliesOut() {
      super(Tallies.class);
    }

    @Override
    public void serialize(Tallies tallies, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeStartArray();
      for (var shard : tallies.byShard().entrySet()) {
        DataOutputSerializer out = new DataOutputSerializer(4096);
        Tallies.write(out, shard.getKey(), shard.getValue());
        json.writeBinary(out.getCopyOfBuffer());
      }
      json.writeEndArray();
    }
  }

  private static final class TalliesIn extends StdDeserializer<Tallies> {
    private static final long serialVersionUID = 1L;

    TalliesIn() {
      super(Tallies.class);
    }

    @Override
    public Tallies deserialize(JsonParser json, DeserializationContext context) throws IOException {
      Tallies tallies = new Tallies();
      for (byte[] shard : json.readValueAs(byte[][].class)) {
        tallies.read(new DataInputStream(new java.io.ByteArrayInputStream(shard)));
      }
      return tallies;
    }
  }
}
