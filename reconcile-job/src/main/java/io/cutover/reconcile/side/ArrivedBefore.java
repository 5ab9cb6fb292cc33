package io.cutover.reconcile.side;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.plan.Plan;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import io.cutover.tally.Tally;
import java.util.Map;
import java.util.Optional;

/**
 * Which records of this copy surely arrived before T, by the backfill's report alone: those of a
 * shard in front of the first that it skipped, or all up to the last that it read where it skipped
 * none. Such a record has no timestamp from T on; one that has is altered, or a second copy.
 */
public final class ArrivedBefore {

  private final Map<String, ReportedShard> shards;
  private final Plan plan;

  public ArrivedBefore(Plan plan) {
    this.plan = plan;
    this.shards = plan.facts().copy().byId();
  }

  /** Whether a record of this copy has a timestamp from T on, though it arrived before. */
  public boolean postdated(TopicRecord record) {
    return record.timestamp() >= plan.pin().boundary().toEpochMilli()
        && record.origin().map(this::surely).orElse(false);
  }

  private boolean surely(Origin origin) {
    Optional<ReportedShard> shard = Optional.ofNullable(shards.get(origin.shardId()));
    Optional<String> skipped = shard.flatMap(ReportedShard::firstSkipped).map(Mark::sequenceNumber);
    if (skipped.isPresent()) {
      return Tally.compareSequences(origin.sequenceNumber(), skipped.get()) < 0;
    }
    return shard
        .flatMap(ReportedShard::last)
        .map(last -> Tally.compareSequences(origin.sequenceNumber(), last.sequenceNumber()) <= 0)
        .orElse(false);
  }
}
