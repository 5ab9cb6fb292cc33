package io.cutover.local.kinesis;

/**
 * How a stream answers GetRecords where servers differ, or where a test needs a shape that is rare.
 *
 * @param childShards whether the last answer of a closed shard names its children
 * @param endIterator how the last answer of a closed shard says that there is no next iterator
 * @param emptyPagesBeforeEnd empty pages with a valid iterator between the last record of a closed
 *     shard and the answer that ends it
 * @param lag what MillisBehindLatest is measured from
 * @param pageRecords the most records on a page, 1 to 10,000
 * @param trimmedPosition what a position answers whose records have been trimmed
 */
public record ReadStyle(
    boolean childShards,
    EndIterator endIterator,
    int emptyPagesBeforeEnd,
    Lag lag,
    int pageRecords,
    TrimmedPosition trimmedPosition) {

  /** NextShardIterator at a closed end. */
  public enum EndIterator {
    /** The field is there and null. */
    NULL,
    /** The field is left out. */
    ABSENT
  }

  /** The origin of MillisBehindLatest. */
  public enum Lag {
    /** The server's clock less the arrival of the next unread record; 0 at the tip. As AWS. */
    WALL_CLOCK,
    /** The arrival of the shard's last record less that of the next unread one. */
    LAST_RECORD,
    /** Always 0, whatever is unread. */
    ALWAYS_ZERO
  }

  /** The answer to a position whose next record has been trimmed. */
  public enum TrimmedPosition {
    /** Empty pages for ever, MillisBehindLatest at the retention. As AWS. */
    EMPTY_PAGES,
    /** Reading goes on at the trim horizon without a word. */
    JUMP_TO_HORIZON,
    /** InvalidArgumentException. */
    REFUSE
  }

  /** As AWS answers. */
  public static final ReadStyle AWS =
      new ReadStyle(true, EndIterator.NULL, 0, Lag.WALL_CLOCK, 10_000, TrimmedPosition.EMPTY_PAGES);

  public ReadStyle {
    if (pageRecords < 1 || pageRecords > 10_000 || emptyPagesBeforeEnd < 0) {
      throw new IllegalArgumentException(
          "a page holds 1 to 10,000 records and empty pages are not negative, but asked for "
              + pageRecords
              + " and "
              + emptyPagesBeforeEnd);
    }
  }

  public ReadStyle childShards(boolean named) {
    return new ReadStyle(
        named, endIterator, emptyPagesBeforeEnd, lag, pageRecords, trimmedPosition);
  }

  public ReadStyle endIterator(EndIterator style) {
    return new ReadStyle(
        childShards, style, emptyPagesBeforeEnd, lag, pageRecords, trimmedPosition);
  }

  public ReadStyle emptyPagesBeforeEnd(int pages) {
    return new ReadStyle(childShards, endIterator, pages, lag, pageRecords, trimmedPosition);
  }

  public ReadStyle lag(Lag origin) {
    return new ReadStyle(
        childShards, endIterator, emptyPagesBeforeEnd, origin, pageRecords, trimmedPosition);
  }

  public ReadStyle pageRecords(int most) {
    return new ReadStyle(childShards, endIterator, emptyPagesBeforeEnd, lag, most, trimmedPosition);
  }

  public ReadStyle trimmedPosition(TrimmedPosition answer) {
    return new ReadStyle(childShards, endIterator, emptyPagesBeforeEnd, lag, pageRecords, answer);
  }
}
