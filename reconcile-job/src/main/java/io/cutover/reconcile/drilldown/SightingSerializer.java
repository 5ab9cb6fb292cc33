package io.cutover.reconcile.drilldown;

import io.cutover.kpl.Origin;
import io.cutover.source.VersionedType;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The byte form of a sighting, on its way to the others of the same record. */
final class SightingSerializer implements SimpleVersionedSerializer<Sighting> {

  static VersionedType<Sighting> type() {
    return new VersionedType<>(Sighting.class, SightingSerializer::new);
  }

  @Override
  public int getVersion() {
    return 1;
  }

  @Override
  public byte[] serialize(Sighting sighting) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(192);
    out.writeUTF(sighting.origin().shardId());
    out.writeUTF(sighting.origin().sequenceNumber());
    out.writeBoolean(sighting.origin().subSequence().isPresent());
    out.writeInt(sighting.origin().subSequence().orElse(0));
    out.writeBoolean(sighting.place().isPresent());
    out.writeInt(sighting.place().map(Sighting.Spot::partition).orElse(0));
    out.writeLong(sighting.place().map(Sighting.Spot::offset).orElse(0L));
    out.writeLong(sighting.millis());
    out.writeBoolean(sighting.targeted());
    out.writeBoolean(sighting.misplaced());
    out.writeBoolean(sighting.postdated());
    write(out, sighting.key());
    write(out, sighting.value());
    return out.getCopyOfBuffer();
  }

  @Override
  public Sighting deserialize(int version, byte[] serialized) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
    return new Sighting(
        readOrigin(in),
        readSpot(in),
        in.readLong(),
        in.readBoolean(),
        in.readBoolean(),
        in.readBoolean(),
        readFingerprint(in),
        readFingerprint(in));
  }

  private static Origin readOrigin(DataInputStream in) throws IOException {
    String shard = in.readUTF();
    String sequence = in.readUTF();
    boolean member = in.readBoolean();
    int sub = in.readInt();
    return new Origin(shard, sequence, member ? OptionalInt.of(sub) : OptionalInt.empty());
  }

  private static Optional<Sighting.Spot> readSpot(DataInputStream in) throws IOException {
    boolean present = in.readBoolean();
    Sighting.Spot spot = new Sighting.Spot(in.readInt(), in.readLong());
    return present ? Optional.of(spot) : Optional.empty();
  }

  private static void write(DataOutputSerializer out, Fingerprint print) throws IOException {
    out.writeBoolean(print.present());
    out.writeLong(print.high());
    out.writeLong(print.low());
  }

  private static Fingerprint readFingerprint(DataInputStream in) throws IOException {
    return new Fingerprint(in.readBoolean(), in.readLong(), in.readLong());
  }
}
