package io.cutover.source;

import java.util.OptionalLong;

/**
 * What the reading of a shard cost so far. Unlike the rest of its ledger this depends on how the
 * run went: what a failed attempt had fetched beyond its last checkpoint is not in it.
 *
 * @param pages answers of GetRecords
 * @param emptyPages those among them without a record
 * @param throttles calls that were throttled
 * @param renewals iterators that had expired and were replaced
 * @param firstMillis the server's clock at the first page, epoch milliseconds
 * @param lastMillis the server's clock at the last page, epoch milliseconds
 */
public record ReadCost(
    long pages,
    long emptyPages,
    long throttles,
    long renewals,
    OptionalLong firstMillis,
    OptionalLong lastMillis) {

  /** Nothing called yet. */
  public static final ReadCost NONE =
      new ReadCost(0, 0, 0, 0, OptionalLong.empty(), OptionalLong.empty());

  /** With one page more, and what was in the way of it. */
  ReadCost plus(ShardItem.PageRead page) {
    return new ReadCost(
        pages + 1,
        emptyPages + (page.empty() ? 1 : 0),
        throttles + page.throttles(),
        renewals + page.renewals(),
        firstMillis.isPresent() ? firstMillis : OptionalLong.of(page.serverMillis()),
        OptionalLong.of(page.serverMillis()));
  }
}
