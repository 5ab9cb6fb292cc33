package io.cutover.reconcile.telling;

import io.cutover.reconcile.verdict.VerdictReport.State;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.util.Comparator;
import java.util.List;

/** The windows that do not agree: those that differ first, and of those the ones that do most. */
final class WorstFirst {

  private static final Comparator<Window> ORDER =
      Comparator.comparing(Window::state)
          .thenComparing(WorstFirst::apart)
          .reversed()
          .thenComparing(Window::start);

  private WorstFirst() {}

  static List<Window> of(List<Window> windows) {
    return windows.stream().filter(window -> window.state() != State.AGREES).sorted(ORDER).toList();
  }

  /** By how many records, as far as it is known. */
  private static long apart(Window window) {
    if (window.state() == State.NOT_COMPARED) {
      return 0;
    }
    long named = window.missing() + window.extra() + window.altered();
    return Math.max(named, Math.abs(window.kinesis().records() - window.kafka().records()));
  }
}
