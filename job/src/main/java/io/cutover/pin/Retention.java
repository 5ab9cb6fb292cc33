package io.cutover.pin;

import io.cutover.pin.Pin.PinnedStream;
import java.time.Duration;

/** How long a stream keeps its records. */
public final class Retention {

  private static final int MOST_HOURS = 8760;

  /**
   * The clock runs on between the refusal, the command and the next pin, and while it is copied.
   */
  private static final Duration TO_SPARE = Duration.ofDays(1);

  private Retention() {}

  /**
   * The command that gives the oldest record the time that is wanted, and a day to spare; as much
   * of it as AWS allows.
   */
  public static String raise(PinnedStream stream, Duration headroom, Duration wanted) {
    Duration needed = stream.retention().plus(wanted).minus(headroom).plus(TO_SPARE);
    long hours = needed.plusHours(1).minusNanos(1).toHours();
    return "aws kinesis increase-stream-retention-period --stream-arn "
        + stream.arn()
        + " --retention-period-hours "
        + Math.min(MOST_HOURS, hours);
  }
}
