package io.cutover.source;

import io.cutover.lineage.LineageTracker.Released;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How many shards each subtask reads, and which one gets the next. A subtask takes shards from its
 * registration until it was told that no more come: one that has finished would never read them.
 */
final class Loads {

  private final Map<Integer, Integer> loads = new HashMap<>();

  /** The subtask has registered, with nothing to read so far. */
  void open(int subtask) {
    loads.put(subtask, 0);
  }

  /** The subtask was told that no more shards come. */
  void close(int subtask) {
    loads.remove(subtask);
  }

  void add(int subtask, int shards) {
    loads.computeIfPresent(subtask, (s, load) -> load + shards);
  }

  /**
   * The subtask for a released shard: the least busy, or the one it must go to. None when that one
   * is clearly busier than another: once a checkpoint covers the parents, any subtask may have it.
   * None, too, when no subtask takes shards.
   */
  OptionalInt subtaskFor(Released released) {
    if (loads.isEmpty()) {
      return OptionalInt.empty();
    }
    int least = loads.values().stream().min(Integer::compare).orElseThrow();
    if (released instanceof Released.ToSubtask bound) {
      boolean takes = loads.getOrDefault(bound.subtask(), Integer.MAX_VALUE) <= least + 1;
      return takes ? OptionalInt.of(bound.subtask()) : OptionalInt.empty();
    }
    return loads.entrySet().stream()
        .filter(entry -> entry.getValue() == least)
        .mapToInt(Map.Entry::getKey)
        .min();
  }
}
