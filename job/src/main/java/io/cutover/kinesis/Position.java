package io.cutover.kinesis;

/** Where the reading of a shard goes on. */
public sealed interface Position {

  /** At the oldest record that is still retained. */
  record TrimHorizon() implements Position {}

  /** Behind the record with this sequence number. */
  record AfterSequence(String sequenceNumber) implements Position {}
}
