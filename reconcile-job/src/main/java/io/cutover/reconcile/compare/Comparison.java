package io.cutover.reconcile.compare;

import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.report.ReportedShard;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Both sides of every bucket of the compared span that holds a record on either side, or by the
 * witness; and of those that the backfill surely read, of which nothing is left to compare.
 *
 * @param buckets by shard and time
 * @param witnessDiffers buckets that were read again whole and are not what the witness has
 * @param witnessContradicts those of them that differ by more than records which came behind the
 *     backfill: the backfill had read a record that the stream does not show now
 */
public record Comparison(
    List<Bucket> buckets, List<BucketKey> witnessDiffers, List<BucketKey> witnessContradicts) {

  public Comparison {
    buckets = List.copyOf(buckets);
    witnessDiffers = List.copyOf(witnessDiffers);
    witnessContradicts = List.copyOf(witnessContradicts);
  }

  /**
   * @param witness absent when it may not be used
   */
  public static Comparison of(Plan plan, Side sides, Optional<Tallies> witness) {
    EvidenceRule rule = new EvidenceRule(plan, witness, sides.stream());
    Tallies reread = sides.stream().tallies();
    Tallies topic = sides.topic().tallies();
    TreeSet<BucketKey> keys = new TreeSet<>();
    addKeys(plan, reread, keys);
    addKeys(plan, topic, keys);
    witness.ifPresent(tallies -> addKeys(plan, tallies, keys));
    addUnshown(plan, rule, keys);
    List<Bucket> buckets = new ArrayList<>();
    List<BucketKey> witnessDiffers = new ArrayList<>();
    List<BucketKey> witnessContradicts = new ArrayList<>();
    for (BucketKey key : keys) {
      Evidence evidence = rule.of(key);
      Optional<Tally> again = EvidenceRule.tally(reread, key);
      Optional<Tally> kinesis =
          switch (evidence) {
            case REREAD -> again;
            case WITNESS -> rule.witnessed(key);
            case NOT_COMPARED -> Optional.empty();
          };
      if (evidence == Evidence.REREAD
          && witness.isPresent()
          && !rule.witnessed(key).equals(again)) {
        witnessDiffers.add(key);
        if (!grewBehind(rule.witnessed(key), again)) {
          witnessContradicts.add(key);
        }
      }
      buckets.add(new Bucket(key, evidence, kinesis, EvidenceRule.tally(topic, key)));
    }
    return new Comparison(buckets, witnessDiffers, witnessContradicts);
  }

  /** Whether there is more than the witness has, and the last of it came behind all of that. */
  private static boolean grewBehind(Optional<Tally> witnessed, Optional<Tally> again) {
    return witnessed.isEmpty()
        || again
            .map(
                now ->
                    now.count() > witnessed.get().count()
                        && Tally.compareSequences(now.highest(), witnessed.get().highest()) > 0)
            .orElse(false);
  }

  private static void addKeys(Plan plan, Tallies tallies, TreeSet<BucketKey> keys) {
    tallies
        .byShard()
        .forEach(
            (shard, windows) ->
                windows.keySet().stream()
                    .filter(plan.span()::contains)
                    .forEach(window -> keys.add(new BucketKey(shard, window))));
  }

  /**
   * The first bucket of each shard that the backfill copied from, where nothing tells any more what
   * that was: retention may have taken it from both sides.
   */
  private static void addUnshown(Plan plan, EvidenceRule rule, TreeSet<BucketKey> keys) {
    for (ReportedShard shard : plan.facts().copy().shards()) {
      shard
          .first()
          .map(mark -> new BucketKey(shard.id(), plan.span().windows().index(mark.arrivalMillis())))
          .filter(key -> plan.span().contains(key.window()))
          .filter(key -> rule.of(key) == Evidence.NOT_COMPARED)
          .ifPresent(keys::add);
    }
  }

  public List<Bucket> differing() {
    return buckets.stream().filter(Bucket::differs).toList();
  }
}
