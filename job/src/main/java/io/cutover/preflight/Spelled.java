package io.cutover.preflight;

import java.time.Duration;

/** Amounts as a person reads them. */
final class Spelled {

  private Spelled() {}

  /** In its two largest units: {@code 2 d 3 h}, {@code 15 min}, {@code 300 ms}. */
  static String duration(Duration duration) {
    if (duration.toDays() > 0) {
      return two(duration.toDays(), "d", duration.toHoursPart(), "h");
    }
    if (duration.toHours() > 0) {
      return two(duration.toHours(), "h", duration.toMinutesPart(), "min");
    }
    if (duration.toMinutes() > 0) {
      return two(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
    }
    return duration.toSeconds() > 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
  }

  private static String two(long large, String unit, int small, String smallUnit) {
    return large + " " + unit + (small > 0 ? " " + small + " " + smallUnit : "");
  }

  /** Milliseconds with what they are: {@code 604800000 ms (7 d)}. */
  static String millis(long millis) {
    return millis + " ms (" + duration(Duration.ofMillis(millis)) + ")";
  }
}
