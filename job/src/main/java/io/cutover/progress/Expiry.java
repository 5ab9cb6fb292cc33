package io.cutover.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;

/** Whether retention will overtake the copy if it goes on as it does. */
sealed interface Expiry {

  /** The oldest unread record is read before it expires, or all is read. */
  record NotBeforeItIsRead() implements Expiry {}

  /**
   * The oldest unread record expires then.
   *
   * @param left zero when it may have expired
   */
  record In(Duration left) implements Expiry {}

  /**
   * The frontier moves on towards T while expiry follows it, one second each second.
   *
   * @param frontier the oldest arrival that may be unread, before T
   * @param rate seconds of arrival that the frontier advances in a second; as long as it is not
   *     known, it is taken to stand still
   */
  static Expiry of(
      Instant frontier, Instant boundary, Duration retention, OptionalDouble rate, Instant now) {
    double r = rate.orElse(0);
    double headroom = seconds(Duration.between(now, frontier.plus(retention)));
    if (headroom <= 0) {
      return new In(Duration.ZERO);
    }
    if (r >= 1) {
      return new NotBeforeItIsRead();
    }
    double expires = headroom / (1 - r);
    double toRead = seconds(Duration.between(frontier, boundary));
    return toRead <= r * expires
        ? new NotBeforeItIsRead()
        : new In(Duration.ofMillis((long) (expires * 1e3)));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }
}
