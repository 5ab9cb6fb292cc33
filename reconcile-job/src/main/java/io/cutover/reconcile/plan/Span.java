package io.cutover.reconcile.plan;

import io.cutover.Reason;
import io.cutover.UsageException;
import io.cutover.pin.Pin;
import io.cutover.tally.Windows;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The arrivals that are compared: whole windows, up to T or the end of an earlier window.
 *
 * @param fromStart whether nothing is too early: all that the backfill copied from the beginning on
 * @param first the index of the first window; with {@code fromStart} that of the backfill start
 * @param end the index of the first window that is not compared any more; 0 is T
 */
public record Span(Windows windows, boolean fromStart, long first, long end)
    implements Serializable {

  public Span {
    if (end > 0 || first >= end) {
      throw new IllegalArgumentException(
          "windows " + first + " to " + end + " hold nothing from before " + windows.boundary());
    }
  }

  /**
   * The span that is asked for, rounded outwards to whole windows.
   *
   * @param from absent for all that the pin wants compared
   * @param to absent for T
   * @throws UsageException when nothing from before T lies between them
   */
  public static Span of(Pin pin, Optional<Instant> from, Optional<Instant> to) {
    Windows windows = pin.tallies();
    Instant begins = from.filter(f -> f.isAfter(pin.windowStart())).orElse(pin.windowStart());
    Instant ends = to.orElse(pin.boundary());
    if (ends.isAfter(pin.boundary()) || !begins.isBefore(ends)) {
      throw new UsageException(
          Reason.OPTION_VALUE,
          "reconcile.from and reconcile.to leave what arrived from "
              + begins
              + " to "
              + ends
              + ", but must leave a span that ends at or before T, "
              + pin.boundary());
    }
    return new Span(
        windows,
        !begins.isAfter(pin.start()),
        windows.index(begins.toEpochMilli()),
        windows.index(ends.minus(Duration.ofMillis(1)).toEpochMilli()) + 1);
  }

  /** Whether that is all of the copy. */
  public boolean whole() {
    return fromStart && end == 0;
  }

  /** Whether the window with this index is compared. */
  public boolean contains(long window) {
    return window < end && (fromStart || window >= first);
  }

  public Instant from() {
    return windows.start(first);
  }

  public Instant to() {
    return windows.start(end);
  }
}
