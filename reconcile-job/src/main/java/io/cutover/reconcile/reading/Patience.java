package io.cutover.reconcile.reading;

import io.cutover.kinesis.KinesisFailure;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Doubling pauses between calls that fail; against all but throttling for a limited time. */
final class Patience {

  private static final long FIRST_NANOS = Duration.ofMillis(200).toNanos();
  private static final long LONGEST_NANOS = Duration.ofSeconds(5).toNanos();

  private final Duration limit;
  private final Time time;
  private long pauseNanos = FIRST_NANOS;
  private long failingSinceNanos;
  private boolean failing;

  Patience(Duration limit, Time time) {
    this.limit = limit;
    this.time = time;
  }

  void answered() {
    failing = false;
    pauseNanos = FIRST_NANOS;
  }

  /**
   * Waits before the next try.
   *
   * @throws UncheckedIOException when it has been failing for too long
   */
  void wait(String shard, KinesisFailure failure, RuntimeException cause)
      throws InterruptedException {
    if (!failing) {
      failing = true;
      failingSinceNanos = time.nanos();
    }
    boolean tooLong = time.nanos() - failingSinceNanos > limit.toNanos();
    if (tooLong && failure != KinesisFailure.THROTTLED) {
      throw PlainReading.unanswered(shard, failure, cause);
    }
    time.sleep(pauseNanos);
    pauseNanos = Math.min(LONGEST_NANOS, 2 * pauseNanos);
  }
}
