package io.cutover.backfill;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kafka.TopicReadBack;
import io.cutover.kafka.TopicReadBack.Held;
import io.cutover.kafka.TopicScan;
import io.cutover.pin.Pin;
import io.cutover.source.LineageOutput;
import io.cutover.source.ShardLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Ends the copy: gathers every shard's ledger and the outcome of every commit, and writes the
 * report when all of it is in the topic. One subtask, behind source and committers of all others,
 * which also makes the job one failover region.
 *
 * <p>A transaction that could not be committed is often one that had been committed already, before
 * a failure; the committer cannot tell, and goes on. So it neither passes nor fails the copy: the
 * copy is suspect, in checkpointed state, and a suspect copy is read back from the topic against
 * the ledger before it is reported. Fails the job, without restart, when records are missing.
 *
 * <p>All outcomes are here when the inputs end, because the source ends only after a checkpoint
 * that was begun when every commit had been tried.
 */
final class Settlement extends AbstractStreamOperator<Void>
    implements TwoInputStreamOperator<LineageOutput, CommittableMessage<KafkaCommittable>, Void>,
        BoundedMultiInput {

  private static final long serialVersionUID = 1L;

  private static final int INPUTS = 2;

  private final Pin pin;
  private final String dir;
  private final Properties consumerProperties;

  /** How long an open transaction may stand in front of the end: until its timeout at most. */
  private final Duration patience;

  private transient ListState<byte[]> checkpointed;
  private transient SettlementState state;
  private transient int inputsEnded;

  Settlement(Pin pin, String dir, Properties consumerProperties, Duration patience) {
    this.pin = pin;
    this.dir = dir;
    this.consumerProperties = consumerProperties;
    this.patience = patience;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    checkpointed =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("settlement", BytePrimitiveArraySerializer.INSTANCE));
    state = new SettlementState();
    for (byte[] bytes : checkpointed.get()) {
      state = SettlementState.fromBytes(bytes);
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    checkpointed.update(List.of(state.toBytes()));
  }

  @Override
  public void processElement1(StreamRecord<LineageOutput> element) {
    state.heard(element.getValue());
  }

  @Override
  public void processElement2(StreamRecord<CommittableMessage<KafkaCommittable>> element) {
    if (element.getValue() instanceof CommittableWithLineage<KafkaCommittable> outcome
        && WatchedCommitter.dropped(outcome.getCommittable())) {
      state.suspectCommit();
      LOG.warn(
          "Transaction {} of subtask {} could not be committed, perhaps because it had been: the"
              + " topic will be read back before this copy is reported.",
          outcome.getCommittable().getTransactionalId(),
          outcome.getSubtaskId());
    }
  }

  @Override
  public void endInput(int inputId) {
    inputsEnded++;
    if (inputsEnded == INPUTS) {
      settle();
    }
  }

  private void settle() {
    if (!state.lineageDone()) {
      LOG.warn(
          "The job is drained before the whole lineage was copied: no report is written. Take the"
              + " savepoint up to go on.");
      return;
    }
    BackfillReport report =
        new BackfillReport(pin, state.suspectCommits(), new ArrayList<>(state.ledgers()));
    if (state.suspectCommits() > 0) {
      readBack(report);
    }
    report.writeTo(dir);
    LOG.info(
        "The copy is complete: {} user records of {} shards.",
        report.records(),
        report.shards().size());
  }

  private void readBack(BackfillReport report) {
    LOG.info("Reading topic {} back.", pin.topic().name());
    Map<String, Held> held =
        TopicReadBack.perShard(
            new TopicScan(consumerProperties, pin.topic().name(), patience), pin.id());
    Map<String, Held> read = new TreeMap<>();
    report.shards().forEach(ledger -> read.put(ledger.shard().id(), copied(ledger)));
    TreeSet<String> shards = new TreeSet<>(held.keySet());
    shards.addAll(read.keySet());
    List<String> differences = new ArrayList<>();
    for (String shard : shards) {
      Held copied = read.getOrDefault(shard, Held.NOTHING);
      Held found = held.getOrDefault(shard, Held.NOTHING);
      if (!copied.equals(found)) {
        differences.add(shard + ": read " + copied + ", in the topic " + found);
      }
    }
    if (!differences.isEmpty()) {
      throw new SuppressRestartsException(
          new Refusal(
              Reason.RECORDS_LOST,
              "the copy is not exact: a transaction was lost. "
                  + String.join("; ", differences)
                  + ". The broker aborts a transaction that outlives transaction.timeout.ms: raise"
                  + " it above the checkpoint interval and the longest restart, empty the topic and"
                  + " begin again"));
    }
    LOG.info("The topic holds what was read, record for record of every shard.");
  }

  private static Held copied(ShardLedger ledger) {
    return new Held(ledger.records(), ledger.bytes());
  }
}
