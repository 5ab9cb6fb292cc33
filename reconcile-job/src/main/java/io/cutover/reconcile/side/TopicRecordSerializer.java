package io.cutover.reconcile.side;

import io.cutover.kpl.Origin;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The byte form of a topic's record, where it leaves the chain of source and tallies. */
final class TopicRecordSerializer implements SimpleVersionedSerializer<TopicRecord> {

  @Override
  public int getVersion() {
    return 1;
  }

  @Override
  public byte[] serialize(TopicRecord record) throws IOException {
    DataOutputSerializer out =
        new DataOutputSerializer(256 + record.value().map(bytes -> bytes.length).orElse(0));
    out.writeInt(record.partition());
    out.writeLong(record.offset());
    out.writeLong(record.timestamp());
    out.writeBoolean(record.appendTime());
    write(out, record.key());
    write(out, record.value());
    writeText(out, record.pin());
    writeText(out, record.origin().map(Origin::shardId));
    if (record.origin().isPresent()) {
      Origin origin = record.origin().get();
      writeText(out, Optional.of(origin.sequenceNumber()));
      out.writeBoolean(origin.subSequence().isPresent());
      if (origin.subSequence().isPresent()) {
        out.writeInt(origin.subSequence().getAsInt());
      }
    }
    return out.getCopyOfBuffer();
  }

  @Override
  public TopicRecord deserialize(int version, byte[] serialized) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    return new TopicRecord(
        in.readInt(),
        in.readLong(),
        in.readLong(),
        in.readBoolean(),
        read(in),
        read(in),
        readText(in),
        readOrigin(in));
  }

  private static Optional<Origin> readOrigin(DataInputStream in) throws IOException {
    Optional<String> shard = readText(in);
    return shard.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Origin(
                shard.get(),
                readText(in).orElseThrow(),
                in.readBoolean() ? OptionalInt.of(in.readInt()) : OptionalInt.empty()));
  }

  private static void writeText(DataOutputSerializer out, Optional<String> text)
      throws IOException {
    write(out, text.map(t -> t.getBytes(StandardCharsets.UTF_8)));
  }

  private static Optional<String> readText(DataInputStream in) throws IOException {
    return read(in).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  private static void write(DataOutputSerializer out, Optional<byte[]> bytes) throws IOException {
    out.writeBoolean(bytes.isPresent());
    if (bytes.isPresent()) {
      out.writeInt(bytes.get().length);
      out.write(bytes.get());
    }
  }

  private static Optional<byte[]> read(DataInputStream in) throws IOException {
    if (!in.readBoolean()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[in.readInt()];
    if (in.readNBytes(bytes, 0, bytes.length) != bytes.length) {
      throw new EOFException("a record of the topic was cut short");
    }
    return Optional.of(bytes);
  }
}
