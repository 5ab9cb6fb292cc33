package io.cutover.lineage;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * T, and how far behind it a shard is still read because arrival is neither exact nor monotonic.
 *
 * @param t divides history from live traffic; whole milliseconds, as arrivals are
 * @param slack not negative
 */
public record Boundary(Instant t, Duration slack) implements Serializable {

  public Boundary {
    if (!t.equals(t.truncatedTo(ChronoUnit.MILLIS))) {
      throw new Refusal(
          Reason.BOUNDARY_UNUSABLE,
          "T is " + t + ", but arrivals have whole milliseconds: give T in whole milliseconds");
    }
    if (slack.isNegative()) {
      throw new Refusal(
          Reason.BOUNDARY_UNUSABLE, "the slack behind T is " + slack + ", but cannot be negative");
    }
  }

  /** Whether a record that arrived then belongs to the copy. */
  public boolean copies(long arrivalMillis) {
    return arrivalMillis < t.toEpochMilli();
  }

  /** Whether meeting a record that arrived then ends the shard. */
  public boolean endsAt(long arrivalMillis) {
    return arrivalMillis >= t.toEpochMilli() + slack.toMillis();
  }

  /** Whether the server's clock has passed T + slack. */
  public boolean passedBy(Instant serverTime) {
    return !serverTime.isBefore(t.plus(slack));
  }
}
