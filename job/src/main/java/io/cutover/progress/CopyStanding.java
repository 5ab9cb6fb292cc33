package io.cutover.progress;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a running copy stands, in the words that a person reads.
 *
 * @param share of [start, T) that is passed, 0 to 1
 * @param shardsDone shards at their end, of all that are known
 * @param recordsPerSecond user records, over the last minute; absent while it is not known
 * @param bytesPerSecond payload, likewise
 * @param left at the pace of the last minute; absent while that is not known, or nothing moves
 * @param restarts of the job that were seen
 */
public record CopyStanding(
    double share,
    int shardsDone,
    int shards,
    OptionalDouble recordsPerSecond,
    OptionalDouble bytesPerSecond,
    Optional<Duration> left,
    Expiry expiry,
    int restarts)
    implements Standing {

  private static final double SECONDS_PER_HOUR = 3600;

  @Override
  public String line() {
    return Standing.percent(share)
        + " of [start, T) passed; "
        + shardsDone
        + " of "
        + shards
        + " shards done; "
        + rate(recordsPerSecond, "%,.0f")
        + " records/s, "
        + rate(bytesPerSecond, "%,.1f", 1e6)
        + " MB/s; "
        + left.map(Standing::clock).orElse("unknown time")
        + " left; "
        + expiry("oldest unread record expires in ", "nothing expires before it is read")
        + (restarts == 0 ? "" : "; " + restarted());
  }

  @Override
  public String beside() {
    return rate(recordsPerSecond, "%,.0f")
        + "/s "
        + rate(bytesPerSecond, "%,.1f", 1e6)
        + " MB/s, "
        + expiry("expires in ", "ahead of expiry")
        + (restarts == 0 ? "" : ", " + restarted());
  }

  @Override
  public String extent() {
    return shardsDone + "/" + shards + " shards";
  }

  private String expiry(String in, String never) {
    return expiry instanceof Expiry.In soon
        ? in + String.format(Locale.ROOT, "%,.1f h", soon.left().toSeconds() / SECONDS_PER_HOUR)
        : never;
  }

  private String restarted() {
    return "restarted " + restarts + (restarts == 1 ? " time" : " times");
  }

  private static String rate(OptionalDouble rate, String format) {
    return rate(rate, format, 1);
  }

  private static String rate(OptionalDouble rate, String format, double unit) {
    return rate.isPresent() ? String.format(Locale.ROOT, format, rate.getAsDouble() / unit) : "?";
  }
}
