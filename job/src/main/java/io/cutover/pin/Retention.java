package io.cutover.pin;

import io.cutover.pin.Pin.PinnedStream;
import java.time.Duration;

/** How long a stream keeps its records. */
public final class Retention {

  private static final int MOST_HOURS = 8760;

  private Retention() {}

  /** The command that gives the oldest record as much time as is wanted, where that is possible. */
  public static String raise(PinnedStream stream, Duration headroom, Duration wanted) {
    Duration needed = stream.retention().plus(wanted).minus(headroom);
    long hours =
        needed.toHours() + (needed.toMinutesPart() > 0 || needed.toSecondsPart() > 0 ? 1 : 0);
    return "aws kinesis increase-stream-retention-period --stream-arn "
        + stream.arn()
        + " --retention-period-hours "
        + Math.min(MOST_HOURS, hours);
  }
}
