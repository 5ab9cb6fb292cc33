package io.cutover.source;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Growing, jittered pauses between repeated calls, and how long it has been failing. */
final class Backoff {

  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private int failures;
  private long failingSinceNanos;

  /** Notes a failure; the pause until the next try, between half and all of the doubling step. */
  long failed(long nowNanos) {
    if (failures == 0) {
      failingSinceNanos = nowNanos;
    }
    long step = Math.min(LONGEST_NANOS, FIRST_NANOS << Math.min(failures, 16));
    failures++;
    return step / 2 + ThreadLocalRandom.current().nextLong(step / 2 + 1);
  }

  long failingForNanos(long nowNanos) {
    return failures == 0 ? 0 : nowNanos - failingSinceNanos;
  }

  void succeeded() {
    failures = 0;
  }
}
