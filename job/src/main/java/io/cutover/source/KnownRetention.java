package io.cutover.source;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The stream's retention as it was last told, shared by the shards of a subtask: when it was
 * raised, the first shard that would be refused asks, and the others need not.
 *
 * <p>Confined to the poller's thread.
 */
final class KnownRetention {

  private final Supplier<Duration> ask;
  private Duration told;

  /**
   * @param ask asks the server
   */
  KnownRetention(Duration told, Supplier<Duration> ask) {
    this.told = told;
    this.ask = ask;
  }

  Duration told() {
    return told;
  }

  void askAgain() {
    told = ask.get();
  }
}
