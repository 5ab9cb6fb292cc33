package io.cutover.source;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregated;
import io.cutover.lineage.EndReason;

/** One step forward in a shard; taken whole or not at all, so that no checkpoint divides it. */
sealed interface ShardItem {

  /** A Kinesis record and the user records in it. */
  record Passed(KinesisRecord record, Deaggregated taken) implements ShardItem {}

  /** The tip was reached: everything that arrived before this server time has been read. */
  record CaughtUp(long serverMillis) implements ShardItem {}

  /** Nothing of the shard comes after this. */
  record End(EndReason reason) implements ShardItem {}
}
