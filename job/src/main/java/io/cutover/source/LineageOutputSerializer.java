package io.cutover.source;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The byte form of the source's output where it leaves the chain, and of ledgers in state. */
final class LineageOutputSerializer extends StateSerializer<LineageOutput> {

  private static final byte COPIED = 0;
  private static final byte SHARD_ENDED = 1;
  private static final byte SUBTASK_DONE = 2;
  private static final int ABSENT = -1;

  LineageOutputSerializer() {
    super("the source's output");
  }

  @Override
  void write(DataOutputSerializer out, LineageOutput output) throws IOException {
    if (output instanceof LineageOutput.Copied copied) {
      out.writeByte(COPIED);
      write(out, copied.record());
    } else if (output instanceof LineageOutput.ShardEnded ended) {
      out.writeByte(SHARD_ENDED);
      ShardWire.write(out, ended.ledger());
    } else if (output instanceof LineageOutput.SubtaskDone done) {
      out.writeByte(SUBTASK_DONE);
      out.writeInt(done.subtask());
      out.writeInt(done.parallelism());
      out.writeUTF(done.admitted());
    }
  }

  @Override
  LineageOutput read(DataInputStream in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case COPIED -> new LineageOutput.Copied(readRecord(in));
      case SHARD_ENDED -> new LineageOutput.ShardEnded(ShardWire.readLedger(in));
      case SUBTASK_DONE -> new LineageOutput.SubtaskDone(in.readInt(), in.readInt(), in.readUTF());
      default -> throw new IOException("unknown kind of output: " + kind);
    };
  }

  private static void write(DataOutputSerializer out, UserRecord record) throws IOException {
    out.writeUTF(record.origin().shardId());
    out.writeUTF(record.origin().sequenceNumber());
    out.writeInt(record.origin().subSequence().orElse(ABSENT));
    writeText(out, record.partitionKey());
    writeText(out, record.explicitHashKey());
    out.writeLong(record.arrivalMillis());
    writeBytes(out, record.data());
  }

  private static UserRecord readRecord(DataInputStream in) throws IOException {
    String shardId = in.readUTF();
    String sequenceNumber = in.readUTF();
    int subSequence = in.readInt();
    return new UserRecord(
        new Origin(
            shardId,
            sequenceNumber,
            subSequence == ABSENT ? OptionalInt.empty() : OptionalInt.of(subSequence)),
        readText(in),
        readText(in),
        in.readLong(),
        readBytes(in, in.readInt()));
  }

  /** Not writeUTF: a member of an aggregate can have a key of more than 64 KiB. */
  private static void writeText(DataOutputSerializer out, Optional<String> text)
      throws IOException {
    if (text.isPresent()) {
      writeBytes(out, text.get().getBytes(StandardCharsets.UTF_8));
    } else {
      out.writeInt(ABSENT);
    }
  }

  private static Optional<String> readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length == ABSENT
        ? Optional.empty()
        : Optional.of(new String(readBytes(in, length), StandardCharsets.UTF_8));
  }

  private static void writeBytes(DataOutputSerializer out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length != length) {
      throw new EOFException("expected " + length + " bytes, found " + bytes.length);
    }
    return bytes;
  }
}
