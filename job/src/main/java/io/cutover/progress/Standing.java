package io.cutover.progress;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** How a running job stands, in the words that a person reads. */
public interface Standing {

  /** Of all there is to do, 0 to 1. */
  double share();

  /** How much of what: shards, partitions. */
  String extent();

  /** At the pace of the last minute; absent while that is not known, or nothing moves. */
  Optional<Duration> left();

  /** The line for a log. */
  String line();

  /** What stands beside a bar, which tells the share and the time left itself. */
  String beside();

  /** Hours, minutes and seconds. */
  static String clock(Duration duration) {
    return String.format(
        Locale.ROOT,
        "%d:%02d:%02d",
        duration.toHours(),
        duration.toMinutesPart(),
        duration.toSecondsPart());
  }

  /** How long the share that is left takes at a pace; absent while nothing moves. */
  static Optional<Duration> timeFor(double share, OptionalDouble perSecond) {
    if (share == 0) {
      return Optional.of(Duration.ZERO);
    }
    return perSecond.isPresent() && perSecond.getAsDouble() > 0
        ? Optional.of(Duration.ofSeconds(Math.round(share / perSecond.getAsDouble())))
        : Optional.empty();
  }

  /** Rounded down, so that only what is all but done shows 100 %. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor((share + ROUNDING) * 1000) / 10);
  }

  /** What the sum of many shares may lack by rounding. */
  double ROUNDING = 1e-9;
}
