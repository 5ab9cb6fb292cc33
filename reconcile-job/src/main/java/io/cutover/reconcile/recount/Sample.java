package io.cutover.reconcile.recount;

import io.cutover.tally.Tally;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Chooses windows of shards at random: about half of them among those that hold records, the others
 * among those that are empty by the tallies, where a record that was overlooked would lie.
 */
public final class Sample {

  private static final SortedMap<Long, Tally> NO_TALLIES = new TreeMap<>();

  private final RandomGenerator random;
  private final List<Row> rows;
  private final long from;
  private final long windows;

  /** One window of one shard; without a tally it is empty. */
  public record Bucket(String shard, long window, Optional<Tally> tally) {}

  /** The windows of one shard that hold records. */
  private record Row(String shard, SortedMap<Long, Tally> tallies) {}

  private Sample(RandomGenerator random, List<Row> rows, long from, long windows) {
    this.random = random;
    this.rows = rows;
    this.from = from;
    this.windows = windows;
  }

  /**
   * A sample without duplicates, in the order of shards.
   *
   * @param n how many; where there are fewer, it is all of them
   * @param tallies by shard and window index
   * @param shards that may be chosen from
   * @param from the first window that may be chosen
   * @param to the one behind the last
   */
  public static List<Bucket> of(
      RandomGenerator random,
      int n,
      Map<String, SortedMap<Long, Tally>> tallies,
      Collection<String> shards,
      long from,
      long to) {
    if (to <= from) {
      return List.of();
    }
    List<Row> rows =
        new TreeSet<>(shards)
            .stream()
                .map(s -> new Row(s, tallies.getOrDefault(s, NO_TALLIES).subMap(from, to)))
                .toList();
    return new Sample(random, rows, from, to - from).choose(n);
  }

  private List<Bucket> choose(int n) {
    long full = rows.stream().mapToLong(row -> row.tallies().size()).sum();
    long empty = Math.multiplyExact(rows.size(), windows) - full;
    long ofFull = Math.min((n + 1L) / 2, full);
    long ofEmpty = Math.min(n - ofFull, empty);
    ofFull = Math.min(n - ofEmpty, full);
    List<Bucket> chosen = new ArrayList<>();
    NavigableSet<Long> fullPicks = distinct(ofFull, full);
    NavigableSet<Long> emptyPicks = distinct(ofEmpty, empty);
    long fullBefore = 0;
    long emptyBefore = 0;
    for (Row row : rows) {
      long fullHere = row.tallies().size();
      long emptyHere = windows - fullHere;
      addFull(row, fullBefore, fullPicks.subSet(fullBefore, fullBefore + fullHere), chosen);
      for (long pick : emptyPicks.subSet(emptyBefore, emptyBefore + emptyHere)) {
        chosen.add(new Bucket(row.shard(), emptyWindow(row, pick - emptyBefore), Optional.empty()));
      }
      fullBefore += fullHere;
      emptyBefore += emptyHere;
    }
    return chosen;
  }

  private static void addFull(Row row, long before, Collection<Long> picks, List<Bucket> chosen) {
    Iterator<Map.Entry<Long, Tally>> tallies = row.tallies().entrySet().iterator();
    long at = before;
    for (long pick : picks) {
      Map.Entry<Long, Tally> tally = tallies.next();
      while (at++ < pick) {
        tally = tallies.next();
      }
      chosen.add(new Bucket(row.shard(), tally.getKey(), Optional.of(tally.getValue())));
    }
  }

  /** The window that has so many empty ones of its shard before it. */
  private long emptyWindow(Row row, long before) {
    long window = from + before;
    for (long full : row.tallies().keySet()) {
      if (full > window) {
        break;
      }
      window++;
    }
    return window;
  }

  /** So many different numbers from 0 up to the bound, each choice of them equally likely. */
  private NavigableSet<Long> distinct(long count, long bound) {
    NavigableSet<Long> numbers = new TreeSet<>();
    for (long last = bound - count; last < bound; last++) {
      long number = random.nextLong(last + 1);
      numbers.add(numbers.contains(number) ? last : number);
    }
    return numbers;
  }
}
