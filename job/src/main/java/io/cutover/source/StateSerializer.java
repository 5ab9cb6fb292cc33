package io.cutover.source;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * A serializer of the state's second version. Refuses bytes left over, and any other version: the
 * first kept no witness, so what it had copied could not be proved.
 */
abstract class StateSerializer<T> implements SimpleVersionedSerializer<T> {

  private static final int VERSION = 2;

  private final String what;

  /** What is serialized, for messages. */
  StateSerializer(String what) {
    this.what = what;
  }

  abstract void write(DataOutputSerializer out, T value) throws IOException;

  abstract T read(DataInputStream in) throws IOException;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    write(out, value);
    return out.getCopyOfBuffer();
  }

  @Override
  public T deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw ShardWire.unknownVersion(what, version, VERSION);
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    T value = read(in);
    if (in.available() > 0) {
      throw new IOException("the state of " + what + " has " + in.available() + " bytes too many");
    }
    return value;
  }
}
