package io.cutover.reconcile.compare;

import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.StreamAccount;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the Kinesis side of a bucket comes from. The stream serves for what was read of it whole:
 *
 * <ul>
 *   <li>by the witness, where it may be used: the reading of the shard began no later than the
 *       lowest sequence number that the witness has in the bucket. Reading is gapless from there
 *       on; the source sees to that.
 *   <li>without it: the reading began no later than the backfill's did, or at an instant that lies
 *       before the window by the slack, by which arrivals are out of order at most.
 * </ul>
 *
 * <p>Whatever retention took away before or while it was read is so never taken for missing. And a
 * record that came behind the backfill is never hidden by a witness that cannot know it: such a
 * bucket is not compared.
 */
final class EvidenceRule {

  private final Plan plan;
  private final Optional<Tallies> witness;
  private final Tallies tallies;
  private final Map<String, ShardLedger> reread = new HashMap<>();
  private final Map<String, ReportedShard> reported;

  /**
   * @param witness absent when it may not be used
   * @param stream what was read again
   */
  EvidenceRule(Plan plan, Optional<Tallies> witness, StreamAccount stream) {
    this.plan = plan;
    this.witness = witness;
    this.tallies = stream.tallies();
    stream.ledgers().forEach(ledger -> reread.put(ledger.shard().id(), ledger));
    this.reported = plan.facts().copy().byId();
  }

  Evidence of(BucketKey bucket) {
    return switch (plan.evidence()) {
      case AUTO ->
          rereadWhole(bucket)
              ? Evidence.REREAD
              : behindWitness(bucket) ? Evidence.NOT_COMPARED : fromWitness();
      case REREAD -> rereadWhole(bucket) ? Evidence.REREAD : Evidence.NOT_COMPARED;
      case WITNESS -> fromWitness();
    };
  }

  private Evidence fromWitness() {
    return witness.isPresent() ? Evidence.WITNESS : Evidence.NOT_COMPARED;
  }

  /** Whether a record was read again that came behind the last one that the witness has. */
  private boolean behindWitness(BucketKey bucket) {
    return witnessed(bucket)
        .flatMap(
            tally ->
                tally(tallies, bucket)
                    .map(again -> Tally.compareSequences(again.highest(), tally.highest()) > 0))
        .orElse(false);
  }

  private boolean rereadWhole(BucketKey bucket) {
    ShardLedger ledger = reread.get(bucket.shard());
    if (ledger == null) {
      // Expired; or a shard that the stream never had, and surely no record of it.
      return !reported.containsKey(bucket.shard());
    }
    return witness.isPresent() && plan.evidence() == ReconcileOptions.Evidence.AUTO
        ? reachesWitness(ledger, bucket)
        : reachesBackfill(ledger) || beganWellBefore(ledger, bucket);
  }

  private boolean reachesWitness(ShardLedger ledger, BucketKey bucket) {
    Optional<Tally> witnessed = witnessed(bucket);
    return witnessed.isEmpty() || beganBy(ledger, witnessed.get().lowest());
  }

  Optional<Tally> witnessed(BucketKey bucket) {
    return witness.flatMap(whole -> tally(whole, bucket));
  }

  static Optional<Tally> tally(Tallies tallies, BucketKey bucket) {
    return Optional.ofNullable(tallies.byShard().get(bucket.shard()))
        .map(windows -> windows.get(bucket.window()));
  }

  private static boolean beganBy(ShardLedger ledger, String sequence) {
    return ledger
        .first()
        .map(first -> Tally.compareSequences(first.sequenceNumber(), sequence) <= 0)
        .orElse(false);
  }

  private boolean reachesBackfill(ShardLedger ledger) {
    Optional<ReportedShard> shard = Optional.ofNullable(reported.get(ledger.shard().id()));
    Optional<Mark> first = shard.flatMap(ReportedShard::first);
    // Where the backfill found nothing there was nothing to expire.
    return shard.isPresent()
        && first.map(mark -> beganBy(ledger, mark.sequenceNumber())).orElse(true);
  }

  private boolean beganWellBefore(ShardLedger ledger, BucketKey bucket) {
    Instant horizon = horizonAtFirstPage(ledger);
    Instant from = plan.facts().readFrom();
    Instant began = from.isAfter(horizon) ? from : horizon;
    Instant start = plan.span().windows().start(bucket.window());
    return !start.minus(plan.slack()).isBefore(began);
  }

  /** What had expired when the shard's first page was served. */
  private Instant horizonAtFirstPage(ShardLedger ledger) {
    Instant served =
        ledger.cost().firstMillis().isPresent()
            ? Instant.ofEpochMilli(ledger.cost().firstMillis().getAsLong())
                .minus(plan.facts().retention())
            : plan.facts().horizon();
    return served.isAfter(plan.facts().horizon()) ? served : plan.facts().horizon();
  }
}
