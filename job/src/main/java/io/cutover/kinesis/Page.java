package io.cutover.kinesis;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One answer of GetRecords.
 *
 * @param records in shard order, perhaps none: an empty page says nothing about the end
 * @param nextIterator absent at the end of a closed shard, whether the server sent null or nothing
 * @param millisBehindLatest 0 at the tip; otherwise servers differ in what it is measured from;
 *     absent when the server did not say
 * @param serverTime the server's clock when it answered (HTTP Date, whole seconds, rounded down)
 * @param bytes payload and key bytes of the records
 */
public record Page(
    List<KinesisRecord> records,
    Optional<String> nextIterator,
    OptionalLong millisBehindLatest,
    Instant serverTime,
    long bytes) {

  /**
   * Whether the shard has been read to its tip. Believed on an empty page only: there are servers
   * that say 0 whatever is unread.
   */
  public boolean atTip() {
    return records.isEmpty()
        && millisBehindLatest.isPresent()
        && millisBehindLatest.getAsLong() == 0;
  }
}
