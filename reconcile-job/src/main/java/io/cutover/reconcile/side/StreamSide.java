package io.cutover.reconcile.side;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.kpl.UserRecord;
import io.cutover.progress.CopyCounters;
import io.cutover.reconcile.plan.Plan;
import io.cutover.source.LineageOutput;
import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Counts the stream's user records beside the source that reads them, as each ought to stand in the
 * topic; when all are read it hands on what they came to. Runs on the TaskManagers. Its memory
 * grows with windows and shards, not with records.
 */
public final class StreamSide extends AbstractStreamOperator<Side>
    implements OneInputStreamOperator<LineageOutput, Side>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final Plan plan;

  private transient Tallier tallier;
  private transient List<ShardLedger> ledgers;
  private transient CopyCounters counters;

  public StreamSide(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void open() throws Exception {
    super.open();
    tallier = new Tallier(plan.pin().id(), plan.span().windows());
    ledgers = new ArrayList<>();
    counters = new CopyCounters(getRuntimeContext());
  }

  @Override
  public void processElement(StreamRecord<LineageOutput> element) {
    if (element.getValue() instanceof LineageOutput.Copied copied) {
      counters.copied(copied.record());
      take(copied.record());
    } else if (element.getValue() instanceof LineageOutput.ShardEnded ended) {
      counters.ended(ended.ledger());
      ledgers.add(ended.ledger());
    }
  }

  private void take(UserRecord record) {
    if (plan.span().contains(plan.span().windows().index(record.arrivalMillis()))) {
      tallier.take(
          record.origin().shardId(),
          record.origin().sequenceNumber(),
          record.origin().subSequence(),
          key(record, plan),
          record.arrivalMillis(),
          Optional.of(record.data()));
    }
  }

  /** The key that the record has in the copy. */
  public static Optional<byte[]> key(UserRecord record, Plan plan) {
    return plan.keyed()
        ? record.partitionKey().map(text -> text.getBytes(UTF_8))
        : Optional.empty();
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(Side.of(new StreamAccount(tallier.tallies(), ledgers))));
  }
}
