package io.cutover.reconcile.recount;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kinesis.Page;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What was counted of one window of one shard, and whether more of it may come. */
final class WindowCount {

  private final long startMillis;
  private final long endMillis;
  private final long farMillis;
  private final Optional<BigInteger> highest;
  private Count count = Count.NOTHING;
  private boolean farRecordMet;

  WindowCount(Instant start, Instant end, Optional<String> highest, Duration slack) {
    this.startMillis = start.toEpochMilli();
    this.endMillis = end.toEpochMilli();
    this.farMillis = end.plus(slack).toEpochMilli();
    this.highest = highest.map(BigInteger::new);
  }

  /**
   * Whether nothing of the window is to be expected behind the page: a record from far behind it
   * was met and the highest sequence number has been passed, or nothing is left. An empty page
   * alone says nothing.
   */
  boolean isOverWith(Page page) {
    return page.nextIterator().isEmpty() || page.atTip() || passed(page.records());
  }

  private boolean passed(List<KinesisRecord> records) {
    farRecordMet |= records.stream().anyMatch(record -> record.arrivalMillis() >= farMillis);
    return farRecordMet && !records.isEmpty() && highest.map(h -> reached(h, records)).orElse(true);
  }

  private static boolean reached(BigInteger sequence, List<KinesisRecord> records) {
    String last = records.get(records.size() - 1).sequenceNumber();
    return new BigInteger(last).compareTo(sequence) >= 0;
  }

  void take(List<KinesisRecord> records) {
    for (KinesisRecord record : records) {
      if (record.arrivalMillis() >= startMillis && record.arrivalMillis() < endMillis) {
        count = count.plus(UserRecords.in(record.data()));
      }
    }
  }

  Count count() {
    return count;
  }
}
