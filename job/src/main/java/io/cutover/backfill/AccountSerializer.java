package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import io.cutover.source.VersionedType;
import io.cutover.tally.Tallies;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The byte form of accounts on their way to the settlement, version 1. */
final class AccountSerializer implements SimpleVersionedSerializer<Account> {

  private static final int VERSION = 1;
  private static final byte TOLD = 0;
  private static final byte TALLIED = 1;

  private final SimpleVersionedSerializer<LineageOutput> ends =
      VersionedType.lineageOutputSerializer();

  static VersionedType<Account> type() {
    return new VersionedType<>(Account.class, AccountSerializer::new);
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(Account account) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(1024);
    if (account instanceof Account.Told told) {
      out.writeByte(TOLD);
      SimpleVersionedSerialization.writeVersionAndSerialize(ends, told.end(), out);
    } else if (account instanceof Account.Tallied tallied) {
      out.writeByte(TALLIED);
      write(out, tallied.tallies());
    }
    return out.getCopyOfBuffer();
  }

  @Override
  public Account deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException("an account has version " + version + ", but this build knows 1");
    }
    DataInputDeserializer in = new DataInputDeserializer(serialized);
    byte kind = in.readByte();
    return switch (kind) {
      case TOLD ->
          new Account.Told(SimpleVersionedSerialization.readVersionAndDeSerialize(ends, in));
      case TALLIED -> new Account.Tallied(read(in));
      default -> throw new IOException("unknown kind of account: " + kind);
    };
  }

  /** All tallies, with their number of shards in front. */
  static void write(DataOutput out, Tallies tallies) throws IOException {
    out.writeInt(tallies.byShard().size());
    for (var shard : tallies.byShard().entrySet()) {
      Tallies.write(out, shard.getKey(), shard.getValue());
    }
  }

  static Tallies read(DataInput in) throws IOException {
    Tallies tallies = new Tallies();
    int shards = in.readInt();
    for (int i = 0; i < shards; i++) {
      tallies.read(in);
    }
    return tallies;
  }
}
