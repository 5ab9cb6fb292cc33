package io.cutover.local.stack;

import java.time.Instant;
import java.util.Locale;

/**
 * What a seeded stream holds.
 *
 * @param stream its name
 * @param boundary T
 * @param before user records with arrival &lt; T: what a copy must show
 * @param after user records with arrival &gt;= T: what a copy must leave out
 * @param kinesisRecords as the server counts: an aggregate is one
 * @param aggregates KPL aggregates among them
 * @param members user records within aggregates
 * @param shards open and closed
 * @param bytes of the user records' data
 */
public record SeedSummary(
    String stream,
    Instant boundary,
    long before,
    long after,
    long kinesisRecords,
    long aggregates,
    long members,
    int shards,
    long bytes) {

  /** One line for a person. */
  public String line() {
    return String.format(
        Locale.ROOT,
        "stream %s: %,d user records before T = %s and %,d after it, %,d of them in %,d KPL"
            + " aggregates, in %d shards, %.1f MB",
        stream,
        before,
        boundary,
        after,
        members,
        aggregates,
        shards,
        bytes / 1e6);
  }
}
