package io.cutover.reconcile.side;

import io.cutover.kpl.Origin;
import io.cutover.tally.Tally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Watches that within each partition the origins of each shard rise with the offsets, and notes
 * where each shard begins and ends there, on either side of T. Takes the records of a partition in
 * offset order; holds one entry for each shard and partition, however many records there are.
 *
 * <p>The same origin twice in a row is a doubled record, not one out of order.
 */
final class OrderBook {

  /** Where the records of one shard stand in one partition, on one side of T. */
  record Key(int partition, String shard, boolean afterBoundary) {}

  private static final class Entry {
    private final long firstOffset;
    private long lastOffset;
    private Origin highest;
    private long highestOffset;

    Entry(Origin origin, long offset) {
      this.firstOffset = offset;
      this.lastOffset = offset;
      this.highest = origin;
      this.highestOffset = offset;
    }
  }

  private final Map<Key, Entry> entries = new HashMap<>();
  private final SampledCounter violations = new SampledCounter();

  /** The entry of the last record: those of one shard come in runs. */
  private Key lastKey = new Key(0, "", false);

  private Entry lastEntry = new Entry(new Origin("", "0", OptionalInt.empty()), 0);

  void take(int partition, Origin origin, boolean afterBoundary, long offset) {
    if (lastKey.partition() != partition
        || lastKey.afterBoundary() != afterBoundary
        || !lastKey.shard().equals(origin.shardId())) {
      lastKey = new Key(partition, origin.shardId(), afterBoundary);
      lastEntry = entries.computeIfAbsent(lastKey, key -> new Entry(origin, offset));
    }
    Entry entry = lastEntry;
    entry.lastOffset = offset;
    int order = compare(origin, entry.highest);
    if (order >= 0) {
      entry.highest = origin;
      entry.highestOffset = offset;
    } else {
      violations.add(
          () ->
              origin.text()
                  + " at partition "
                  + partition
                  + " offset "
                  + offset
                  + " stands behind "
                  + entry.highest.text()
                  + " at offset "
                  + entry.highestOffset);
    }
  }

  private static int compare(Origin one, Origin other) {
    int bySequence = Tally.compareSequences(one.sequenceNumber(), other.sequenceNumber());
    // A plain record and a member never share a sequence number.
    return bySequence != 0
        ? bySequence
        : Integer.compare(one.subSequence().orElse(0), other.subSequence().orElse(0));
  }

  Sampled violations() {
    return violations.sampled();
  }

  List<ShardInPartition> shards() {
    List<ShardInPartition> shards = new ArrayList<>();
    entries.forEach(
        (key, entry) ->
            shards.add(
                new ShardInPartition(
                    key.partition(),
                    key.shard(),
                    key.afterBoundary(),
                    entry.firstOffset,
                    entry.lastOffset)));
    return shards;
  }
}
