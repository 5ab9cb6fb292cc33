package io.cutover.progress;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/**
 * How fast a number grows, over the last minute. The number comes in steps, with each heartbeat:
 * only the instants of the steps count, so that the interval at which it is looked at does not
 * shake the rate. A number that falls began anew: so does the rate, which is never negative.
 */
public final class SlidingRate {

  private static final Duration WINDOW = Duration.ofMinutes(1);

  /** Without a step for this long, which is more than two heartbeats, the standstill counts. */
  private static final Duration STANDSTILL = Duration.ofSeconds(25);

  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(Instant at, double value) {}

  public void sample(Instant now, double value) {
    Sample last = samples.peekLast();
    if (last != null && value < last.value()) {
      beginAnew();
      last = null;
    }
    if (last == null
        || value > last.value()
        || Duration.between(last.at(), now).compareTo(STANDSTILL) >= 0) {
      samples.addLast(new Sample(now, value));
    }
    while (samples.size() > 2
        && Duration.between(samples.peekFirst().at(), now).compareTo(WINDOW) > 0) {
      samples.removeFirst();
    }
  }

  /** Forgets what was: the number counts something else from now on. */
  public void beginAnew() {
    samples.clear();
  }

  /** Absent until the number has grown, or has stood still long enough to say so. */
  public OptionalDouble perSecond() {
    if (samples.size() < 2) {
      return OptionalDouble.empty();
    }
    Sample first = samples.getFirst();
    Sample last = samples.getLast();
    double seconds = Duration.between(first.at(), last.at()).toMillis() / 1e3;
    return seconds > 0
        ? OptionalDouble.of((last.value() - first.value()) / seconds)
        : OptionalDouble.empty();
  }
}
