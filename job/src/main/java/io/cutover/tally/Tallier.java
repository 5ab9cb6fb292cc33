package io.cutover.tally;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Tallies records as they stand, or ought to stand, in the topic: each goes into its window with
 * its digest. Not thread-safe.
 */
public final class Tallier {

  private final Windows windows;
  private final RecordDigest digest;
  private final Tallies tallies = new Tallies();

  public Tallier(String pinId, Windows windows) {
    this.windows = windows;
    this.digest = new RecordDigest(pinId);
  }

  /** What was taken in so far; what is added to it counts as taken in. */
  public Tallies tallies() {
    return tallies;
  }

  /**
   * Takes a record in.
   *
   * @param key nothing for a record without one
   * @param value nothing for a tombstone
   */
  public void take(
      String shardId,
      String sequenceNumber,
      OptionalInt subSequence,
      Optional<byte[]> key,
      long timestampMillis,
      Optional<byte[]> value) {
    digest.take(shardId, sequenceNumber, subSequence, key, timestampMillis, value);
    tallies.add(
        shardId,
        windows.index(timestampMillis),
        sequenceNumber,
        value.map(bytes -> bytes.length).orElse(0),
        digest);
  }
}
