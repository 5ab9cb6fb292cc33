package io.cutover.progress;

import java.io.Serializable;

/**
 * How far the reading of one shard has come.
 *
 * @param arrivalMillis the latest arrival read from before T, epoch milliseconds; before the first
 *     record the epoch, which is earlier than any
 */
record ShardReached(long arrivalMillis, Stage stage) implements Serializable {

  static final ShardReached NOTHING = new ShardReached(0, Stage.READ);

  /** In the order in which a shard passes through them. */
  enum Stage {
    /** Its reading goes on, or waits. */
    READ,
    /** It was read to its end: its children go on where it stopped. */
    CLOSED,
    /** Nothing from before T is left in it, nor in its children. */
    DONE
  }

  /** What both know. */
  ShardReached furthest(ShardReached other) {
    return new ShardReached(
        Math.max(arrivalMillis, other.arrivalMillis),
        stage.compareTo(other.stage) < 0 ? other.stage : stage);
  }
}
