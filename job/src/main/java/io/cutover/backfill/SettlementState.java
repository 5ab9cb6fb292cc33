package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import io.cutover.source.LineageOutputType;
import io.cutover.source.ShardLedger;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** What the settlement has heard so far. Belongs to the task thread. */
final class SettlementState {

  private static final int VERSION = 1;

  private final Map<String, ShardLedger> ledgers = new TreeMap<>();
  private final Set<Integer> subtasksDone = new TreeSet<>();
  private OptionalInt sourceParallelism = OptionalInt.empty();
  private long suspectCommits;

  void heard(LineageOutput output) {
    if (output instanceof LineageOutput.ShardEnded ended) {
      ledgers.put(ended.ledger().shard().id(), ended.ledger());
    } else if (output instanceof LineageOutput.SubtaskDone done) {
      if (!sourceParallelism.equals(OptionalInt.of(done.parallelism()))) {
        // Taken up with another parallelism: what the former subtasks said, the new ones say again.
        subtasksDone.clear();
      }
      subtasksDone.add(done.subtask());
      sourceParallelism = OptionalInt.of(done.parallelism());
    } else {
      throw new IllegalStateException("the settlement takes ends only, not " + output);
    }
  }

  /** A transaction could not be committed, perhaps because it had been already. */
  void suspectCommit() {
    suspectCommits++;
  }

  Collection<ShardLedger> ledgers() {
    return ledgers.values();
  }

  long suspectCommits() {
    return suspectCommits;
  }

  /** Whether every subtask of the source ended because the whole lineage was done. */
  boolean lineageDone() {
    return sourceParallelism.isPresent() && subtasksDone.size() == sourceParallelism.getAsInt();
  }

  byte[] toBytes() throws IOException {
    SimpleVersionedSerializer<LineageOutput> outputs = LineageOutputType.serializer();
    DataOutputSerializer out = new DataOutputSerializer(1024);
    out.writeInt(VERSION);
    out.writeLong(suspectCommits);
    out.writeInt(sourceParallelism.orElse(0));
    out.writeInt(subtasksDone.size());
    for (int subtask : subtasksDone) {
      out.writeInt(subtask);
    }
    out.writeInt(ledgers.size());
    for (ShardLedger ledger : ledgers.values()) {
      SimpleVersionedSerialization.writeVersionAndSerialize(
          outputs, new LineageOutput.ShardEnded(ledger), out);
    }
    return out.getCopyOfBuffer();
  }

  static SettlementState fromBytes(byte[] bytes) throws IOException {
    SimpleVersionedSerializer<LineageOutput> outputs = LineageOutputType.serializer();
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    int version = in.readInt();
    if (version != VERSION) {
      throw new IOException(
          "the state of the settlement has version "
              + version
              + ", but this build knows "
              + VERSION
              + ": restore it with the release that wrote it, or a newer one");
    }
    SettlementState state = new SettlementState();
    state.suspectCommits = in.readLong();
    int parallelism = in.readInt();
    state.sourceParallelism = parallelism == 0 ? OptionalInt.empty() : OptionalInt.of(parallelism);
    int done = in.readInt();
    for (int i = 0; i < done; i++) {
      state.subtasksDone.add(in.readInt());
    }
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      state.heard(SimpleVersionedSerialization.readVersionAndDeSerialize(outputs, in));
    }
    if (in.available() > 0) {
      throw new IOException(
          "the state of the settlement has " + in.available() + " bytes too many");
    }
    return state;
  }
}
