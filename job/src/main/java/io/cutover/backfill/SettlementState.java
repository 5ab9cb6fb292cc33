package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import io.cutover.source.ShardLedger;
import io.cutover.source.VersionedType;
import io.cutover.tally.Tallies;
import java.io.IOException;
import java.time.Instant;
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

  private static final int VERSION = 2;

  private final Instant begunAt;
  private final Map<String, ShardLedger> ledgers = new TreeMap<>();
  private final Tallies witness = new Tallies();
  private final Set<Integer> subtasksDone = new TreeSet<>();
  private OptionalInt sourceParallelism = OptionalInt.empty();
  private String admitted = "";
  private long suspectCommits;

  /**
   * @param begunAt when the copy was begun, by the clock of the task's machine
   */
  SettlementState(Instant begunAt) {
    this.begunAt = begunAt;
  }

  void heard(Account account) {
    if (account instanceof Account.Tallied tallied) {
      witness.addAll(tallied.tallies());
    } else if (account instanceof Account.Told told) {
      heard(told.end());
    }
  }

  private void heard(LineageOutput end) {
    if (end instanceof LineageOutput.ShardEnded ended) {
      ledgers.put(ended.ledger().shard().id(), ended.ledger());
    } else if (end instanceof LineageOutput.SubtaskDone done) {
      if (!sourceParallelism.equals(OptionalInt.of(done.parallelism()))) {
        // Taken up with another parallelism: what the former subtasks said, the new ones say again.
        subtasksDone.clear();
      }
      subtasksDone.add(done.subtask());
      sourceParallelism = OptionalInt.of(done.parallelism());
      admitted = done.admitted();
    } else {
      throw new IllegalStateException("the settlement takes ends only, not " + end);
    }
  }

  /** A transaction could not be committed, perhaps because it had been already. */
  void suspectCommit() {
    suspectCommits++;
  }

  Instant begunAt() {
    return begunAt;
  }

  Collection<ShardLedger> ledgers() {
    return ledgers.values();
  }

  /** The tallies of all subtasks that have told theirs. */
  Tallies witness() {
    return witness;
  }

  /** What the fresh start had found. */
  String admitted() {
    return admitted;
  }

  long suspectCommits() {
    return suspectCommits;
  }

  /** Whether every subtask of the source ended because the whole lineage was done. */
  boolean lineageDone() {
    return sourceParallelism.isPresent() && subtasksDone.size() == sourceParallelism.getAsInt();
  }

  byte[] toBytes() throws IOException {
    SimpleVersionedSerializer<LineageOutput> outputs = VersionedType.lineageOutputSerializer();
    DataOutputSerializer out = new DataOutputSerializer(1024);
    out.writeInt(VERSION);
    out.writeLong(begunAt.toEpochMilli());
    out.writeLong(suspectCommits);
    out.writeUTF(admitted);
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
    AccountSerializer.write(out, witness);
    return out.getCopyOfBuffer();
  }

  static SettlementState fromBytes(byte[] bytes) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    int version = in.readInt();
    if (version != VERSION) {
      throw new IOException(
          "the state of the settlement has version "
              + version
              + ", but this build knows "
              + VERSION
              + ": restore it with the release that wrote it");
    }
    SettlementState state = new SettlementState(Instant.ofEpochMilli(in.readLong()));
    state.suspectCommits = in.readLong();
    state.admitted = in.readUTF();
    int parallelism = in.readInt();
    state.sourceParallelism = parallelism == 0 ? OptionalInt.empty() : OptionalInt.of(parallelism);
    int done = in.readInt();
    for (int i = 0; i < done; i++) {
      state.subtasksDone.add(in.readInt());
    }
    state.readLedgers(in);
    state.witness.addAll(AccountSerializer.read(in));
    if (in.available() > 0) {
      throw new IOException(
          "the state of the settlement has " + in.available() + " bytes too many");
    }
    return state;
  }

  private void readLedgers(DataInputDeserializer in) throws IOException {
    SimpleVersionedSerializer<LineageOutput> outputs = VersionedType.lineageOutputSerializer();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      heard(SimpleVersionedSerialization.readVersionAndDeSerialize(outputs, in));
    }
  }
}
