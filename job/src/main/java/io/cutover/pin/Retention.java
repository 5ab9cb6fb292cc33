package io.cutover.pin;

import io.cutover.pin.Pin.PinnedStream;
import java.time.Duration;

/** How long a stream keeps its records. */
public final class Retention {

  private static final int MOST_HOURS = 8760;

  private Retention() {}

  /** The command that gives the oldest record as much time as is wanted, where that is possible. */
  static String raise(PinnedStream stream, Duration headroom, Duration wanted) {
    return raise(stream.arn(), stream.retention(), headroom, wanted);
  }

  /**
   * As {@link #raise(PinnedStream, Duration, Duration)}, of a stream that may have been changed.
   *
   * @param retention how long it keeps its records now
   */
  public static String raise(
      String streamArn, Duration retention, Duration headroom, Duration wanted) {
    Duration needed = retention.plus(wanted).minus(headroom);
    long hours =
        needed.toHours() + (needed.toMinutesPart() > 0 || needed.toSecondsPart() > 0 ? 1 : 0);
    return "aws kinesis increase-stream-retention-period --stream-arn "
        + streamArn
        + " --retention-period-hours "
        + Math.min(MOST_HOURS, hours);
  }
}
