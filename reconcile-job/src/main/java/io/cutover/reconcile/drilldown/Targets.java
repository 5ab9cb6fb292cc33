package io.cutover.reconcile.drilldown;

import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.BucketKey;
import io.cutover.tally.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is read again: the buckets that differ, by shard. */
public record Targets(Map<String, Target> shards) {

  /** Windows one after the other, both ends included. */
  public record Run(long first, long last) {}

  /**
   * The windows of one shard that differ.
   *
   * @param range the sequence numbers that the Kinesis side has in them; absent when it has none
   */
  public record Target(List<Run> windows, Optional<Range> range) {

    public Target {
      windows = List.copyOf(windows);
    }

    public boolean has(long window) {
      return windows.stream().anyMatch(run -> run.first() <= window && window <= run.last());
    }
  }

  /** From the lowest to the highest sequence number. */
  public record Range(String lowest, String highest) {

    /** That of the records in a tally. */
    public static Range of(Tally tally) {
      return new Range(tally.lowest(), tally.highest());
    }

    public boolean contains(String sequence) {
      return Tally.compareSequences(lowest, sequence) <= 0
          && Tally.compareSequences(sequence, highest) <= 0;
    }

    /** Whether the sequence number lies beyond the highest. */
    public boolean endsBefore(String sequence) {
      return Tally.compareSequences(highest, sequence) < 0;
    }

    Range union(Range other) {
      return new Range(
          Tally.compareSequences(lowest, other.lowest) <= 0 ? lowest : other.lowest,
          Tally.compareSequences(highest, other.highest) >= 0 ? highest : other.highest);
    }
  }

  public Targets {
    shards = new TreeMap<>(shards);
  }

  /**
   * @param differing by shard and time
   */
  static Targets of(List<Bucket> differing) {
    Map<String, List<Run>> windows = new TreeMap<>();
    Map<String, Range> ranges = new TreeMap<>();
    for (Bucket bucket : differing) {
      BucketKey key = bucket.key();
      add(windows.computeIfAbsent(key.shard(), shard -> new ArrayList<>()), key.window());
      bucket
          .kinesis()
          .map(Range::of)
          .ifPresent(range -> ranges.merge(key.shard(), range, Range::union));
    }
    Map<String, Target> shards = new TreeMap<>();
    windows.forEach(
        (shard, runs) ->
            shards.put(shard, new Target(runs, Optional.ofNullable(ranges.get(shard)))));
    return new Targets(shards);
  }

  private static void add(List<Run> runs, long window) {
    if (!runs.isEmpty() && runs.get(runs.size() - 1).last() + 1 == window) {
      Run last = runs.remove(runs.size() - 1);
      runs.add(new Run(last.first(), window));
    } else {
      runs.add(new Run(window, window));
    }
  }

  public Optional<Target> of(String shard) {
    return Optional.ofNullable(shards.get(shard));
  }
}
