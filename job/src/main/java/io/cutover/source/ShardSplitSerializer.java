package io.cutover.source;

import java.io.DataInputStream;
import java.io.IOException;
import org.apache.flink.core.memory.DataOutputSerializer;

/** The reader's state: one shard with its ledger so far. */
final class ShardSplitSerializer extends StateSerializer<ShardSplit> {

  ShardSplitSerializer() {
    super("a shard");
  }

  @Override
  void write(DataOutputSerializer out, ShardSplit split) throws IOException {
    out.writeUTF(split.stage().name());
    ShardWire.write(out, split.ledger());
  }

  @Override
  ShardSplit read(DataInputStream in) throws IOException {
    String stage = in.readUTF();
    ShardLedger ledger = ShardWire.readLedger(in);
    for (ShardSplit.Stage known : ShardSplit.Stage.values()) {
      if (known.name().equals(stage)) {
        return new ShardSplit(ledger, known);
      }
    }
    throw new IOException("the state names a stage of a shard that is not known: " + stage);
  }
}
