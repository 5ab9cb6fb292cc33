package io.cutover.source;

import io.cutover.kpl.UserRecord;

/**
 * What the lineage source emits: user records in shard order, and each shard's ledger at its end.
 */
public sealed interface LineageOutput {

  /** A user record with arrival before T. */
  record Copied(UserRecord record) implements LineageOutput {}

  /** Comes behind the last record of its shard, on the same subtask, exactly once. */
  record ShardEnded(ShardLedger ledger) implements LineageOutput {}

  /**
   * The last word of a subtask that comes to its end because the whole lineage is done, not because
   * the job is drained.
   *
   * @param parallelism how many subtasks say so
   * @param admitted what {@link Admission#beforeFirstShard} found when the copy began
   */
  record SubtaskDone(int subtask, int parallelism, String admitted) implements LineageOutput {}
}
