package io.cutover.reconcile.plan;

import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** What becomes of a value that Flink sends from one task to the next. */
public final class Travelled {

  private Travelled() {}

  public static <T> T of(Class<T> type, T value) throws IOException {
    TypeSerializer<T> serializer = InFlight.type(type).createSerializer(new SerializerConfigImpl());
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
  }
}
