package io.cutover.source;

import io.cutover.lineage.LineageTracker.Released;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** How many shards each subtask reads, and which one gets the next. */
final class Loads {

  private final Map<Integer, Integer> loads = new HashMap<>();

  /** The subtask starts over with nothing to read. */
  void reset(int subtask) {
    loads.remove(subtask);
  }

  void add(int subtask, int shards) {
    loads.merge(subtask, shards, Integer::sum);
  }

  private int load(int subtask) {
    return loads.getOrDefault(subtask, 0);
  }

  /**
   * The subtask for a released shard: the least busy, or the one it must go to. None when that one
   * is clearly busier than another: once a checkpoint covers the parents, any subtask may have it.
   */
  OptionalInt subtaskFor(Released released, int parallelism) {
    int least =
        IntStream.range(0, parallelism).boxed().min((a, b) -> load(a) - load(b)).orElseThrow();
    if (released instanceof Released.ToSubtask bound) {
      return load(bound.subtask()) <= load(least) + 1
          ? OptionalInt.of(bound.subtask())
          : OptionalInt.empty();
    }
    return OptionalInt.of(least);
  }
}
