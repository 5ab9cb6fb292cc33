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

/** The byte form, version 2, of the values that several serializers of this package hold. */
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
    writeMillis(out, ledger.completeUpToMillis());
    out.writeUTF(ledger.end().map(Enum::name).orElse(""));
    write(out, ledger.cost());
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
        readMillis(in),
        readEnd(in),
        readCost(in));
  }

  private static void write(DataOutput out, ReadCost cost) throws IOException {
    out.writeLong(cost.pages());
    out.writeLong(cost.emptyPages());
    out.writeLong(cost.throttles());
    out.writeLong(cost.renewals());
    writeMillis(out, cost.firstMillis());
    writeMillis(out, cost.lastMillis());
  }

  private static ReadCost readCost(DataInput in) throws IOException {
    return new ReadCost(
        in.readLong(), in.readLong(), in.readLong(), in.readLong(), readMillis(in), readMillis(in));
  }

  private static void writeMillis(DataOutput out, OptionalLong millis) throws IOException {
    out.writeBoolean(millis.isPresent());
    if (millis.isPresent()) {
      out.writeLong(millis.getAsLong());
    }
  }

  private static OptionalLong readMillis(DataInput in) throws IOException {
    return in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
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

  /** What to throw for a version that this build does not take. */
  static IOException unknownVersion(String what, int version, int known) {
    return new IOException(
        "the state of "
            + what
            + " has version "
            + version
            + ", but this build knows "
            + known
            + (version < known
                ? " and cannot take up an older one, which kept no witness of what it had copied:"
                    + " restore it with the release that wrote it"
                : ": restore it with the release that wrote it, or a newer one"));
  }
}
