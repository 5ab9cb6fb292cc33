package io.cutover.backfill;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.kafka.KafkaOptions;
import io.cutover.kpl.UserRecord;
import io.cutover.progress.CopyCounters;
import io.cutover.source.LineageOutput;
import io.cutover.tally.Tallier;
import io.cutover.tally.Tallies;
import io.cutover.tally.Windows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Tallies what the source hands to the sink, on the TaskManagers, in the chain of both, so that one
 * checkpoint holds position and tallies. Passes the ends of shards and subtasks on at once, its
 * tallies when its input ends; then it forgets them, so that no restart tells them twice.
 *
 * <p>The state has one entry a shard. Tallies add up, so it does not matter which subtask gets
 * which entry when the job is rescaled.
 */
final class WitnessOperator extends AbstractStreamOperator<Account>
    implements OneInputStreamOperator<LineageOutput, Account>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final String pinId;
  private final Windows windows;
  private final boolean keyed;

  private transient ListState<byte[]> checkpointed;
  private transient Tallier tallier;
  private transient CopyCounters counters;

  WitnessOperator(String pinId, Windows windows, KafkaOptions.Key key) {
    this.pinId = pinId;
    this.windows = windows;
    this.keyed = key == KafkaOptions.Key.PARTITION_KEY;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    tallier = new Tallier(pinId, windows);
    counters = new CopyCounters(getRuntimeContext());
    checkpointed =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("witness", BytePrimitiveArraySerializer.INSTANCE));
    for (byte[] shard : checkpointed.get()) {
      tallier.tallies().read(new DataInputDeserializer(shard));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<byte[]> shards = new ArrayList<>();
    for (var shard : tallier.tallies().byShard().entrySet()) {
      DataOutputSerializer out = new DataOutputSerializer(4096);
      Tallies.write(out, shard.getKey(), shard.getValue());
      shards.add(out.getCopyOfBuffer());
    }
    checkpointed.update(shards);
  }

  @Override
  public void processElement(StreamRecord<LineageOutput> element) {
    if (element.getValue() instanceof LineageOutput.Copied copied) {
      tally(copied.record());
      counters.copied(copied.record());
    } else {
      if (element.getValue() instanceof LineageOutput.ShardEnded ended) {
        counters.ended(ended.ledger());
      }
      output.collect(new StreamRecord<>(new Account.Told(element.getValue())));
    }
  }

  /** As the record stands in the topic. */
  private void tally(UserRecord record) {
    Optional<byte[]> key =
        keyed ? record.partitionKey().map(text -> text.getBytes(UTF_8)) : Optional.empty();
    tallier.take(
        record.origin().shardId(),
        record.origin().sequenceNumber(),
        record.origin().subSequence(),
        key,
        record.arrivalMillis(),
        Optional.of(record.data()));
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(new Account.Tallied(tallier.tallies())));
    tallier = new Tallier(pinId, windows);
  }
}
