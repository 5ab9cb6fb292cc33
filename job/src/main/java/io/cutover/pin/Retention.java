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

  /** As {@link #raise(String, Duration, Duration, Duration)}, of the stream as it was pinned. */
  static String raise(PinnedStream stream, Duration headroom, Duration wanted) {
    return raise(stream.arn(), stream.retention(), headroom, wanted);
  }

  /**
   * The command that gives the oldest record the time that is wanted, and a day to spare; as much
   * of it as AWS allows.
   *
   * @param retention how long the stream keeps its records now
   */
  public static String raise(
      String streamArn, Duration retention, Duration headroom, Duration wanted) {
    Duration needed = retention.plus(wanted).minus(headroom).plus(TO_SPARE);
    long hours = needed.plusHours(1).minusNanos(1).toHours();
    return "aws kinesis increase-stream-retention-period --stream-arn "
        + streamArn
        + " --retention-period-hours "
        + Math.min(MOST_HOURS, hours);
  }
}
