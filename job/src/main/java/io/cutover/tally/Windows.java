package io.cutover.tally;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * Half-open spans [start, end) of arrival time, all of one length, the last of which ends at T. The
 * window with index -1 is the last one before T.
 *
 * @param length whole milliseconds, above 0
 */
public record Windows(Instant boundary, Duration length) implements Serializable {

  public Windows {
    if (length.toMillis() <= 0 || !length.equals(Duration.ofMillis(length.toMillis()))) {
      throw new IllegalArgumentException(
          "a window has whole milliseconds, at least one, but has " + length);
    }
  }

  /** The index of the window that an arrival, epoch milliseconds, falls into. */
  public long index(long arrivalMillis) {
    return Math.floorDiv(arrivalMillis - boundary.toEpochMilli(), length.toMillis());
  }

  public Instant start(long index) {
    return boundary.plus(Duration.ofMillis(Math.multiplyExact(index, length.toMillis())));
  }

  public Instant end(long index) {
    return start(index + 1);
  }
}
