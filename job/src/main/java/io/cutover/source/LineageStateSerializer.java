package io.cutover.source;

import io.cutover.lineage.Lineage;
import io.cutover.lineage.LineageTracker.Status;
import io.cutover.lineage.Shard;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The enumerator's state: every shard seen and its stage. */
final class LineageStateSerializer extends StateSerializer<LineageState> {

  private static final byte WAITING = 0;
  private static final byte READING = 1;
  private static final byte ENDED = 2;
  private static final byte COVERED = 3;

  LineageStateSerializer() {
    super("the lineage");
  }

  @Override
  void write(DataOutputSerializer out, LineageState state) throws IOException {
    out.writeUTF(state.identity());
    out.writeBoolean(state.admitted().isPresent());
    if (state.admitted().isPresent()) {
      out.writeUTF(state.admitted().get());
    }
    out.writeInt(state.lineage().shards().size());
    for (Shard shard : state.lineage().shards()) {
      ShardWire.write(out, shard);
      write(out, state.statuses().get(shard.id()));
    }
  }

  private static void write(DataOutputSerializer out, Status status) throws IOException {
    if (status instanceof Status.Waiting) {
      out.writeByte(WAITING);
    } else if (status instanceof Status.Reading) {
      out.writeByte(READING);
    } else if (status instanceof Status.Ended ended) {
      out.writeByte(ENDED);
      out.writeUTF(ended.reason().name());
      out.writeInt(ended.subtask());
    } else if (status instanceof Status.Covered covered) {
      out.writeByte(COVERED);
      out.writeUTF(covered.reason().name());
    } else {
      throw new IllegalStateException("a shard of the lineage has no status: " + status);
    }
  }

  @Override
  LineageState read(DataInputStream in) throws IOException {
    String identity = in.readUTF();
    Optional<String> admitted = in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty();
    int count = in.readInt();
    List<Shard> shards = new ArrayList<>();
    Map<String, Status> statuses = new HashMap<>();
    for (int i = 0; i < count; i++) {
      Shard shard = ShardWire.readShard(in);
      shards.add(shard);
      statuses.put(shard.id(), readStatus(in));
    }
    return new LineageState(identity, admitted, Lineage.of(shards), statuses);
  }

  private static Status readStatus(DataInputStream in) throws IOException {
    byte stage = in.readByte();
    return switch (stage) {
      case WAITING -> new Status.Waiting();
      case READING -> new Status.Reading();
      case ENDED -> new Status.Ended(ShardWire.end(in.readUTF()), in.readInt());
      case COVERED -> new Status.Covered(ShardWire.end(in.readUTF()));
      default -> throw new IOException("the state names a status that is not known: " + stage);
    };
  }
}
