package io.cutover.reconcile.compare;

import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Both sides of every bucket of the compared span that holds a record on either side, or by the
 * witness.
 *
 * @param buckets by shard and time
 * @param witnessDiffers buckets that were read again whole and are not what the witness has
 */
public record Comparison(List<Bucket> buckets, List<BucketKey> witnessDiffers) {

  public Comparison {
    buckets = List.copyOf(buckets);
    witnessDiffers = List.copyOf(witnessDiffers);
  }

  /**
   * @param witness absent when it may not be used
   */
  public static Comparison of(Plan plan, Side sides, Optional<Tallies> witness) {
    EvidenceRule rule = new EvidenceRule(plan, witness, sides.stream().ledgers());
    Tallies reread = sides.stream().tallies();
    Tallies topic = sides.topic().tallies();
    TreeSet<BucketKey> keys = new TreeSet<>();
    addKeys(plan, reread, keys);
    addKeys(plan, topic, keys);
    witness.ifPresent(tallies -> addKeys(plan, tallies, keys));
    List<Bucket> buckets = new ArrayList<>();
    List<BucketKey> witnessDiffers = new ArrayList<>();
    for (BucketKey key : keys) {
      Evidence evidence = rule.of(key);
      Optional<Tally> again = tally(reread, key);
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
      }
      buckets.add(new Bucket(key, evidence, kinesis, tally(topic, key)));
    }
    return new Comparison(buckets, witnessDiffers);
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

  private static Optional<Tally> tally(Tallies tallies, BucketKey key) {
    return Optional.ofNullable(tallies.byShard().get(key.shard()))
        .map(windows -> windows.get(key.window()));
  }

  public List<Bucket> differing() {
    return buckets.stream().filter(Bucket::differs).toList();
  }
}
