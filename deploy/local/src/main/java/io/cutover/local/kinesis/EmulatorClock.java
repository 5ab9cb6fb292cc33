package io.cutover.local.kinesis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The server's clock: it stamps arrivals and the Date header, moves the trim horizon and lets
 * iterators expire. It runs with the system's clock, a settable distance ahead or behind, or stands
 * still.
 */
public final class EmulatorClock extends Clock {

  /** Either a distance from the system's clock or, when frozen, a fixed instant. */
  private sealed interface Hand {
    record Running(Duration offset) implements Hand {}

    record Frozen(Instant at) implements Hand {}
  }

  private volatile Hand hand = new Hand.Running(Duration.ZERO);

  EmulatorClock() {}

  /** Runs with the system's clock, this far ahead of it (behind it when negative). */
  public synchronized void setOffset(Duration offset) {
    hand = new Hand.Running(offset);
  }

  /** Jumps to an instant; a running clock runs on from there. */
  public synchronized void set(Instant instant) {
    hand =
        hand instanceof Hand.Frozen
            ? new Hand.Frozen(instant)
            : new Hand.Running(Duration.between(Instant.now(), instant));
  }

  /** Jumps ahead, or back when negative; a running clock runs on from there. */
  public synchronized void advance(Duration by) {
    if (hand instanceof Hand.Running running) {
      hand = new Hand.Running(running.offset().plus(by));
    } else {
      hand = new Hand.Frozen(instant().plus(by));
    }
  }

  /** Stands still at an instant until {@link #resume()}; {@link #advance} still moves it. */
  public synchronized void freeze(Instant at) {
    hand = new Hand.Frozen(at);
  }

  /** Runs on from the instant at which it stood still. */
  public synchronized void resume() {
    hand = new Hand.Running(Duration.between(Instant.now(), instant()));
  }

  @Override
  public Instant instant() {
    Hand now = hand;
    return now instanceof Hand.Running running
        ? Instant.now().plus(running.offset())
        : ((Hand.Frozen) now).at();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  /** Unsupported: the server speaks of instants only. */
  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("the emulator's clock has no zone but UTC");
  }
}
