package io.cutover.backfill;

import io.cutover.config.PinOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.TopicReadBack;
import io.cutover.kafka.TopicScan;
import io.cutover.report.BackfillReport;
import io.cutover.report.RunFacts;
import io.cutover.report.StartFacts;
import io.cutover.report.WitnessFile;
import io.cutover.tally.Tallies;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Ends the copy: gathers every shard's ledger, the witness and the outcome of every commit, and
 * writes the report when all of it is in the topic. One subtask, behind source and committers of
 * all others, which also makes the job one failover region.
 *
 * <p>A transaction that could not be committed is often one that had been committed already, before
 * a failure; the committer cannot tell, and goes on. So it neither passes nor fails the copy: the
 * copy is suspect, in checkpointed state, and a suspect copy is read back from the topic against
 * the witness before it is reported. Fails the job, without restart, when records are missing.
 *
 * <p>All outcomes are here when the inputs end, because the source ends only after a checkpoint
 * that was begun when every commit had been tried: so no report has to guess at the last commit.
 */
final class Settlement extends AbstractStreamOperator<Void>
    implements TwoInputStreamOperator<Account, CommittableMessage<KafkaCommittable>, Void>,
        BoundedMultiInput {

  private static final long serialVersionUID = 1L;

  private static final int INPUTS = 2;

  private final CopyTerms terms;
  private final KafkaClientProperties kafka;
  private final Runnable stillPinned;

  private transient ListState<byte[]> checkpointed;
  private transient SettlementState state;
  private transient int inputsEnded;

  /**
   * @param stillPinned asked before the report is written; serializable
   */
  <C extends Runnable & Serializable> Settlement(
      CopyTerms terms, KafkaClientProperties kafka, C stillPinned) {
    this.terms = terms;
    this.kafka = kafka;
    this.stillPinned = stillPinned;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    checkpointed =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("settlement", BytePrimitiveArraySerializer.INSTANCE));
    state = new SettlementState(now());
    for (byte[] bytes : checkpointed.get()) {
      state = SettlementState.fromBytes(bytes);
    }
  }

  private Instant now() {
    return Instant.ofEpochMilli(getProcessingTimeService().getCurrentProcessingTime());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    checkpointed.update(List.of(state.toBytes()));
  }

  @Override
  public void processElement1(StreamRecord<Account> element) {
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
    Fatal.onRefusal(stillPinned);
    WitnessCheck witness = new WitnessCheck(terms.pin().tallies(), state.witness());
    Fatal.onRefusal(() -> witness.againstLedgers(state.ledgers()));
    if (state.suspectCommits() > 0) {
      readBack(witness);
    }
    WitnessFile.Written written = WitnessFile.write(terms.dir(), terms.pin(), state.witness());
    BackfillReport report =
        new BackfillReport(
            terms.pin(),
            terms.key(),
            terms.config().get(PinOptions.SLACK),
            new ArrayList<>(state.ledgers()),
            written,
            new RunFacts(
                state.begunAt(),
                now(),
                StartFacts.parse(state.admitted()),
                state.suspectCommits()));
    report.write(terms.dir());
    LOG.info(
        "The copy is complete: {} user records of {} shards.",
        report.records(),
        report.shards().size());
  }

  private void readBack(WitnessCheck witness) {
    LOG.info("Reading topic {} back.", terms.pin().topic().name());
    // An open transaction in front of the end is gone after its timeout.
    Duration patience = kafka.transactionTimeout().plusMinutes(1);
    Tallies held =
        TopicReadBack.tallies(
            new TopicScan(kafka.consumer(), terms.pin().topic().name(), patience),
            terms.pin().id(),
            terms.pin().tallies());
    Fatal.onRefusal(() -> witness.againstTopic(held));
    LOG.info("The topic holds what was read, record for record of every shard and window.");
  }
}
