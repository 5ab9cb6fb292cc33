package io.cutover.local.stack;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What a seeded stream shall hold. The same plan gives the same stream, byte for byte.
 *
 * @param stream its name
 * @param records user records that arrive in the week before the boundary; at least 1
 * @param boundary T, to the millisecond
 * @param seed picks keys, payloads and arrivals
 */
public record SeedPlan(String stream, long records, Instant boundary, long seed) {

  public SeedPlan {
    if (records < 1) {
      throw new IllegalArgumentException(
          "A stream is seeded with at least 1 record, not " + records);
    }
    boundary = boundary.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Stream {@code events}, its boundary a whole minute some ten minutes before {@code now}. */
  public static SeedPlan of(long records, Instant now) {
    Instant boundary = now.minus(10, ChronoUnit.MINUTES).truncatedTo(ChronoUnit.MINUTES);
    return new SeedPlan("events", records, boundary, 1);
  }
}
