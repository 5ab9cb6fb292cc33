package io.cutover.reconcile.side;

import io.cutover.kpl.UserRecord;
import io.cutover.reconcile.plan.Plan;
import io.cutover.source.LineageOutput;
import io.cutover.source.ShardLedger;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

/** What the counting operators make of records that are given to them. */
public final class Counted {

  private Counted() {}

  /** The topic's side. */
  public static Side topic(Plan plan, List<TopicRecord> records) throws Exception {
    return side(new TopicSide(plan), records);
  }

  /** The stream's side: its records, and the ledgers of its shards. */
  public static Side stream(Plan plan, List<UserRecord> records, List<ShardLedger> ledgers)
      throws Exception {
    List<LineageOutput> read = new ArrayList<>();
    records.forEach(record -> read.add(new LineageOutput.Copied(record)));
    ledgers.forEach(ledger -> read.add(new LineageOutput.ShardEnded(ledger)));
    return side(new StreamSide(plan), read);
  }

  private static <T> Side side(OneInputStreamOperator<T, Side> operator, List<T> records)
      throws Exception {
    try (var counting = new OneInputStreamOperatorTestHarness<>(operator)) {
      counting.open();
      for (T record : records) {
        counting.processElement(record, 0);
      }
      if (!counting.extractOutputValues().isEmpty()) {
        throw new IllegalStateException("a side is told when all of it is read, not before");
      }
      counting.endInput();
      List<Side> told = counting.extractOutputValues();
      if (told.size() != 1) {
        throw new IllegalStateException("a side is told once, but was " + told.size() + " times");
      }
      return told.get(0);
    }
  }
}
