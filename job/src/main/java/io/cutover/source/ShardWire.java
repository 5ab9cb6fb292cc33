package io.cutover.source;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The byte form, version 1, of the values that several serializers of this package hold. */
final class ShardWire {

  private ShardWire() {}

  static void write(DataOutput out, Shard shard) throws IOException {
    out.writeUTF(shard.id());
    out.writeByte(shard.parents().size());
    for (String parent : shard.parents()) {
      out.writeUTF(parent);
    }
    out.writeUTF(shard.range().start().toString());
    out.writeUTF(shard.range().end().toString());
    out.writeBoolean(shard.closed());
  }

  static Shard readShard(DataInput in) throws IOException {
    String id = in.readUTF();
    int parentCount = in.readUnsignedByte();
    List<String> parents = new ArrayList<>();
    for (int i = 0; i < parentCount; i++) {
      parents.add(in.readUTF());
    }
    HashRange range = new HashRange(new BigInteger(in.readUTF()), new BigInteger(in.readUTF()));
    return new Shard(id, parents, range, in.readBoolean());
  }

  static void write(DataOutput out, ShardLedger ledger) throws IOException {
    write(out, ledger.shard());
    writeMark(out, ledger.first());
    writeMark(out, ledger.last());
    writeMark(out, ledger.firstSkipped());
    out.writeLong(ledger.records());
    out.writeLong(ledger.bytes());
    out.writeLong(ledger.skipped());
    out.writeLong(ledger.aggregates());
    out.writeLong(ledger.malformed());
    out.writeLong(ledger.outOfRange());
    out.writeBoolean(ledger.completeUpToMillis().isPresent());
    if (ledger.completeUpToMillis().isPresent()) {
      out.writeLong(ledger.completeUpToMillis().getAsLong());
    }
    out.writeUTF(ledger.end().map(Enum::name).orElse(""));
  }

  static ShardLedger readLedger(DataInput in) throws IOException {
    return new ShardLedger(
        readShard(in),
        readMark(in),
        readMark(in),
        readMark(in),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty(),
        readEnd(in));
  }

  private static void writeMark(DataOutput out, Optional<Mark> mark) throws IOException {
    out.writeBoolean(mark.isPresent());
    if (mark.isPresent()) {
      out.writeUTF(mark.get().sequenceNumber());
      out.writeLong(mark.get().arrivalMillis());
    }
  }

  private static Optional<Mark> readMark(DataInput in) throws IOException {
    return in.readBoolean() ? Optional.of(new Mark(in.readUTF(), in.readLong())) : Optional.empty();
  }

  private static Optional<EndReason> readEnd(DataInput in) throws IOException {
    String name = in.readUTF();
    return name.isEmpty() ? Optional.empty() : Optional.of(end(name));
  }

  static EndReason end(String name) throws IOException {
    try {
      return EndReason.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new IOException("the state names an end of a shard that is not known: " + name, e);
    }
  }

  /** What to throw for a version that this build does not know. */
  static IOException unknownVersion(String what, int version, int newest) {
    return new IOException(
        "the state of "
            + what
            + " has version "
            + version
            + ", but this build knows up to "
            + newest
            + ": restore it with the release that wrote it, or a newer one");
  }
}
