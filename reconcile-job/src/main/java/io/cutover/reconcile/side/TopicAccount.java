package io.cutover.reconcile.side;

import io.cutover.tally.Tallies;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What one subtask found in the partitions that it read.
 *
 * @param tallies of the records of this copy within the compared span
 * @param outside records of this copy outside of it
 * @param shards where each shard's records stand, those of this copy only
 * @param disorder records of this copy that stand behind a later one of their shard
 * @param misplaced records of this copy whose key belongs to another partition
 * @param postdated records of this copy that arrived before T, with a timestamp from T on
 * @param appendTime records of this copy that the broker stamped when it appended them
 * @param withoutOrigin records within the span that say nothing, or too little, of an origin
 * @param otherPins records within the span with the origin of another pin's copy
 * @param foreignOutside records of neither kind's outside of the span
 * @param foreignWindows how many that are not this copy's stand in each window of the span
 * @param partitions how many committed records each partition holds
 */
public record TopicAccount(
    Tallies tallies,
    long outside,
    List<ShardInPartition> shards,
    Sampled disorder,
    Sampled misplaced,
    Sampled postdated,
    Sampled appendTime,
    Sampled withoutOrigin,
    Sampled otherPins,
    long foreignOutside,
    SortedMap<Long, Long> foreignWindows,
    SortedMap<Integer, Long> partitions) {

  public static TopicAccount nothing() {
    return new TopicAccount(
        new Tallies(),
        0,
        List.of(),
        Sampled.NONE,
        Sampled.NONE,
        Sampled.NONE,
        Sampled.NONE,
        Sampled.NONE,
        Sampled.NONE,
        0,
        new TreeMap<>(),
        new TreeMap<>());
  }

  public TopicAccount plus(TopicAccount other) {
    Tallies both = new Tallies();
    both.addAll(tallies);
    both.addAll(other.tallies);
    return new TopicAccount(
        both,
        outside + other.outside,
        Stream.concat(shards.stream(), other.shards.stream()).toList(),
        disorder.plus(other.disorder),
        misplaced.plus(other.misplaced),
        postdated.plus(other.postdated),
        appendTime.plus(other.appendTime),
        withoutOrigin.plus(other.withoutOrigin),
        otherPins.plus(other.otherPins),
        foreignOutside + other.foreignOutside,
        sum(foreignWindows, other.foreignWindows),
        sum(partitions, other.partitions));
  }

  /** Without what the comparison has taken in: its tallies, and where each shard stands. */
  public TopicAccount withoutTallies() {
    return new TopicAccount(
        new Tallies(),
        outside,
        List.of(),
        disorder,
        misplaced,
        postdated,
        appendTime,
        withoutOrigin,
        otherPins,
        foreignOutside,
        foreignWindows,
        partitions);
  }

  private static <K> SortedMap<K, Long> sum(Map<K, Long> one, Map<K, Long> other) {
    SortedMap<K, Long> sum = new TreeMap<>(one);
    other.forEach((key, count) -> sum.merge(key, count, Long::sum));
    return sum;
  }

  public long foreignInside() {
    return withoutOrigin.count() + otherPins.count();
  }

  public long records() {
    return partitions.values().stream().mapToLong(Long::longValue).sum();
  }
}
