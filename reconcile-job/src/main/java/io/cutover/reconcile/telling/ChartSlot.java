package io.cutover.reconcile.telling;

import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.State;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One place of the chart: a window, or where there are more than a chart can show, several that
 * follow each other. Its state is the worst of theirs, so none that differs is lost among others.
 *
 * @param windows those that hold a record; may be none
 */
record ChartSlot(Instant start, Instant end, List<Window> windows) {

  ChartSlot {
    windows = List.copyOf(windows);
  }

  /**
   * The compared span in places of equal length, in time order.
   *
   * @param windows in time order, each within the span
   * @param most so many places at the most
   */
  static List<ChartSlot> over(Scope scope, List<Window> windows, int most) {
    Duration length = scope.window().multipliedBy(windowsEach(scope, most));
    List<ChartSlot> slots = new ArrayList<>();
    int next = 0;
    Instant start = scope.from();
    do {
      Instant end = start.plus(length);
      boolean last = !end.isBefore(scope.to());
      List<Window> within = new ArrayList<>();
      while (next < windows.size() && (last || windows.get(next).start().isBefore(end))) {
        within.add(windows.get(next));
        next++;
      }
      slots.add(new ChartSlot(start, last ? scope.to() : end, within));
      start = end;
    } while (start.isBefore(scope.to()));
    return slots;
  }

  /** How many windows one place stands for. */
  static long windowsEach(Scope scope, int most) {
    Duration span = Duration.between(scope.from(), scope.to());
    long windows = dividedUp(span.toMillis(), scope.window().toMillis());
    return Math.max(1, dividedUp(windows, most));
  }

  private static long dividedUp(long dividend, long divisor) {
    return -Math.floorDiv(-dividend, divisor);
  }

  Count kinesis() {
    return windows.stream().map(Window::kinesis).reduce(Count.NOTHING, Count::plus);
  }

  Count kafka() {
    return windows.stream().map(Window::kafka).reduce(Count.NOTHING, Count::plus);
  }

  State state() {
    return windows.stream().map(Window::state).max(State::compareTo).orElse(State.AGREES);
  }

  /** What it holds, in words. */
  String told() {
    return Words.instant(start)
        + " to "
        + Words.instant(end)
        + ": Kinesis "
        + Words.number(kinesis().records())
        + ", Kafka "
        + Words.number(kafka().records())
        + states();
  }

  private String states() {
    StringBuilder told = new StringBuilder();
    Stream.of(State.DIFFERS, State.NOT_COMPARED, State.TOLERATED)
        .forEach(
            state -> {
              long of = windows.stream().filter(window -> window.state() == state).count();
              if (of > 0) {
                told.append("; ")
                    .append(windows.size() == 1 ? "" : of + " of " + windows.size() + " windows: ")
                    .append(Words.state(state));
              }
            });
    return told.toString();
  }
}
