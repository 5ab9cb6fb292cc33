package io.cutover.kinesis;

import java.time.Instant;

/** Where the reading of a shard goes on. */
public sealed interface Position {

  /** At the oldest record that is still retained. */
  record TrimHorizon() implements Position {}

  /**
   * At the first record that arrived then or later; at the oldest that is retained where that is
   * younger.
   *
   * @param instant not after the server's now
   */
  record AtTimestamp(Instant instant) implements Position {}

  /** At the record with this sequence number. */
  record AtSequence(String sequenceNumber) implements Position {}

  /** Behind the record with this sequence number. */
  record AfterSequence(String sequenceNumber) implements Position {}
}
