package io.cutover.reconcile;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What must be found. Origins are {@code shard/sequence} or {@code shard/sequence/subsequence},
 * each in one of the first five only.
 *
 * @param windows by their starts, those with a record on either side
 * @param doubled with the number of times they stand in the topic
 * @param altered with what differs of them, in any of the places where they stand
 * @param withoutOrigin places within the compared span
 * @param ofAnotherPin likewise
 * @param misplaced places of this copy's records whose key belongs to another partition
 * @param disordered places of this copy's records that stand behind a later one of their shard, or
 *     behind one of a descendant
 */
record Truth(
    SortedMap<Instant, Window> windows,
    SortedSet<String> missing,
    SortedSet<String> straggled,
    SortedSet<String> extra,
    SortedMap<String, Integer> doubled,
    SortedMap<String, Set<Part>> altered,
    List<Place> withoutOrigin,
    List<Place> ofAnotherPin,
    List<Place> misplaced,
    List<Place> disordered,
    long copiedOutside,
    long foreignOutside,
    boolean cleared) {

  /** The two sides are the same, whatever is tolerated. */
  boolean identical() {
    return missing.isEmpty()
        && straggled.isEmpty()
        && extra.isEmpty()
        && doubled.isEmpty()
        && altered.isEmpty();
  }

  enum Part {
    KEY,
    VALUE,
    TIMESTAMP,
    PARTITION
  }

  record Count(long records, long bytes) {
    Count plus(long moreBytes) {
      return new Count(records + 1, bytes + moreBytes);
    }
  }

  /** One window on both sides, and the records by which it differs. */
  record Window(Count kinesis, Count kafka, long missing, long extra) {
    static final Window EMPTY = new Window(new Count(0, 0), new Count(0, 0), 0, 0);
  }

  record Place(int partition, long offset) {}
}
