package io.cutover.source;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregated;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.EndReason;
import java.util.Optional;
import java.util.OptionalLong;

/** The mutable ledger of a shard while it is read. Belongs to the task thread. */
final class ShardProgress {

  private final ShardSplit assigned;
  private Optional<Mark> first;
  private Optional<Mark> firstSkipped;

  /** Absent until something was read in this attempt: then the assigned split's place holds. */
  private Optional<KinesisRecord> last = Optional.empty();

  private long records;
  private long bytes;
  private long skipped;
  private long aggregates;
  private long malformed;
  private long outOfRange;
  private OptionalLong completeUpToMillis;
  private Optional<EndReason> end;
  private ReadCost cost;

  ShardProgress(ShardSplit split) {
    ShardLedger ledger = split.ledger();
    assigned = split;
    first = ledger.first();
    firstSkipped = ledger.firstSkipped();
    records = ledger.records();
    bytes = ledger.bytes();
    skipped = ledger.skipped();
    aggregates = ledger.aggregates();
    malformed = ledger.malformed();
    outOfRange = ledger.outOfRange();
    completeUpToMillis = ledger.completeUpToMillis();
    end = ledger.end();
    cost = ledger.cost();
  }

  void read(ShardItem.PageRead page) {
    cost = cost.plus(page);
  }

  void copied(KinesisRecord record, Deaggregated taken) {
    records += taken.records().size();
    for (UserRecord user : taken.records()) {
      bytes += user.data().length;
    }
    passed(record, taken);
  }

  void skipped(KinesisRecord record, Deaggregated taken) {
    skipped += taken.records().size();
    if (firstSkipped.isEmpty()) {
      firstSkipped = Optional.of(mark(record));
    }
    passed(record, taken);
  }

  private void passed(KinesisRecord record, Deaggregated taken) {
    switch (taken.kind()) {
      case PLAIN -> {}
      case AGGREGATE -> aggregates++;
      case MALFORMED -> malformed++;
    }
    outOfRange += taken.outOfRange();
    if (first.isEmpty()) {
      first = Optional.of(mark(record));
    }
    last = Optional.of(record);
    caughtUp(record.arrivalMillis());
  }

  void caughtUp(long serverMillis) {
    completeUpToMillis =
        OptionalLong.of(Math.max(serverMillis, completeUpToMillis.orElse(Long.MIN_VALUE)));
  }

  void ended(EndReason reason) {
    end = Optional.of(reason);
  }

  private static Mark mark(KinesisRecord record) {
    return new Mark(record.sequenceNumber(), record.arrivalMillis());
  }

  ShardLedger ledger() {
    return new ShardLedger(
        assigned.ledger().shard(),
        first,
        last.map(ShardProgress::mark).or(() -> assigned.ledger().last()),
        firstSkipped,
        records,
        bytes,
        skipped,
        aggregates,
        malformed,
        outOfRange,
        completeUpToMillis,
        end,
        cost);
  }

  ShardSplit split() {
    return end.isPresent()
        ? ShardSplit.ended(ledger())
        : new ShardSplit(ledger(), assigned.stage());
  }
}
