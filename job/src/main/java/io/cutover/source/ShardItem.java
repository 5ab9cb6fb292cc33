package io.cutover.source;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregated;
import io.cutover.lineage.EndReason;
import java.util.OptionalLong;

/** One step forward in a shard; taken whole or not at all, so that no checkpoint divides it. */
sealed interface ShardItem {

  /**
   * A page was fetched; its records follow.
   *
   * @param empty whether it has none
   * @param throttles calls that were throttled since the page before
   * @param renewals iterators that had expired since the page before
   * @param serverMillis the server's clock when it answered, epoch milliseconds
   * @param millisBehindLatest the server's word, where it gave one
   */
  record PageRead(
      boolean empty,
      int throttles,
      int renewals,
      long serverMillis,
      OptionalLong millisBehindLatest)
      implements ShardItem {}

  /** A Kinesis record and the user records in it. */
  record Passed(KinesisRecord record, Deaggregated taken) implements ShardItem {}

  /** The tip was reached: everything that arrived before this server time has been read. */
  record CaughtUp(long serverMillis) implements ShardItem {}

  /** Nothing of the shard comes after this. */
  record End(EndReason reason) implements ShardItem {}
}
