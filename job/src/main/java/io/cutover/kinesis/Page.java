package io.cutover.kinesis;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

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

  /** This page up to and with the first record of a kind; all of it where there is none. */
  public Page upToFirst(Predicate<KinesisRecord> kind) {
    for (int i = 0; i < records.size(); i++) {
      if (kind.test(records.get(i))) {
        return new Page(
            records.subList(0, i + 1), nextIterator, millisBehindLatest, serverTime, bytes);
      }
    }
    return this;
  }

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
