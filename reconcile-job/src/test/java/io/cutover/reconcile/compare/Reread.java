package io.cutover.reconcile.compare;

import io.cutover.kpl.UserRecord;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.Shard;
import io.cutover.reconcile.plan.Plans;
import io.cutover.source.Mark;
import io.cutover.source.ReadCost;
import io.cutover.source.ShardLedger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Ledgers of shards that the reconciliation has read. */
public final class Reread {

  private Reread() {}

  /** From this record on. */
  public static ShardLedger from(String shard, String firstSequence) {
    return ledger(shard, Optional.of(new Mark(firstSequence, 0)), OptionalLong.empty());
  }

  /** Without a record in it any more. */
  public static ShardLedger empty(String shard) {
    return ledger(shard, Optional.empty(), OptionalLong.empty());
  }

  /** Likewise, its first page having been served at this instant. */
  static ShardLedger emptyAt(String shard, Instant served) {
    return ledger(shard, Optional.empty(), OptionalLong.of(served.toEpochMilli()));
  }

  /** Of these records, in the order of the shard. */
  public static ShardLedger of(String shard, List<UserRecord> records) {
    return records.isEmpty() ? empty(shard) : from(shard, records.get(0).origin().sequenceNumber());
  }

  private static ShardLedger ledger(String id, Optional<Mark> first, OptionalLong served) {
    Shard shard = Plans.shard(id);
    return new ShardLedger(
        shard,
        first,
        first,
        Optional.empty(),
        first.isPresent() ? 1 : 0,
        0,
        0,
        0,
        0,
        0,
        OptionalLong.empty(),
        Optional.of(EndReason.TIP),
        new ReadCost(1, 0, 0, 0, served, served));
  }
}
