package io.cutover.reconcile.compare;

import io.cutover.reconcile.verdict.Evidence;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.tally.Tally;
import java.util.Optional;

/**
 * One window of one shard on both sides.
 *
 * @param kinesis by the evidence; absent when that holds no record, and when there is none
 * @param kafka absent when the topic holds no record
 */
public record Bucket(
    BucketKey key, Evidence evidence, Optional<Tally> kinesis, Optional<Tally> kafka) {

  /** Whether the sides were compared and are not the same, record for record. */
  public boolean differs() {
    return evidence != Evidence.NOT_COMPARED && !kinesis.equals(kafka);
  }

  public static Count count(Optional<Tally> tally) {
    return tally.map(t -> new Count(t.count(), t.bytes())).orElse(Count.NOTHING);
  }
}
