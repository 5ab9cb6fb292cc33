package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.verdict.ReportDraft;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.State;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChartSlotTest {

  private static Scope span(int windows) {
    return ReportDraft.scope(Reports.start(0, windows), ReportDraft.T, true);
  }

  private static List<Window> windows(int count, Set<Integer> differing) {
    List<Window> windows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean differs = differing.contains(i);
      windows.add(
          Reports.window(i, count, differs ? 1 : 0, differs ? State.DIFFERS : State.AGREES));
    }
    return windows;
  }

  @Test
  void whereTheyFitEachWindowHasItsPlace() {
    List<Window> windows = windows(168, Set.of(3));
    List<ChartSlot> slots = ChartSlot.over(span(168), windows, 180);
    assertThat(slots).hasSize(168);
    assertThat(slots).map(ChartSlot::windows).isEqualTo(windows.stream().map(List::of).toList());
  }

  @Test
  void spanWithoutAWindowKeepsItsPlace() {
    List<Window> windows = List.of(windows(10, Set.of()).get(7));
    List<ChartSlot> slots = ChartSlot.over(span(10), windows, 180);
    assertThat(slots)
        .map(slot -> slot.windows().size())
        .containsExactly(0, 0, 0, 0, 0, 0, 0, 1, 0, 0);
    assertThat(slots.get(0).state()).isEqualTo(State.AGREES);
  }

  @Test
  void placeSaysWhichOfItsWindowsDiffer() {
    ChartSlot slot = ChartSlot.over(span(4), windows(4, Set.of(2)), 2).get(1);
    assertThat(slot.told())
        .isEqualTo(
            "2026-11-29 22:00 to 2026-11-30 00:00: Kinesis 16,828, Kafka 16,829;"
                + " 1 of 2 windows: differs");
  }

  @Property(tries = 200)
  void noWindowIsLostAndNoneThatDiffersIsHidden(
      @ForAll @IntRange(min = 1, max = 2000) int count,
      @ForAll Set<@IntRange(min = 0, max = 1999) Integer> differing,
      @ForAll @IntRange(min = 1, max = 200) int most) {
    List<Window> windows = windows(count, differing);
    List<ChartSlot> slots = ChartSlot.over(span(count), windows, most);
    assertThat(slots).hasSizeLessThanOrEqualTo(most);
    assertThat(slots).flatMap(ChartSlot::windows).isEqualTo(windows);
    long each = ChartSlot.windowsEach(span(count), most);
    Set<Integer> marked = new TreeSet<>();
    differing.stream().filter(i -> i < count).forEach(i -> marked.add((int) (i / each)));
    for (int i = 0; i < slots.size(); i++) {
      assertThat(slots.get(i).state() == State.DIFFERS).isEqualTo(marked.contains(i));
    }
  }

  @Test
  void windowBehindTheSpanStandsInTheLastPlace() {
    Window late = Reports.window(12, 10, 1, State.DIFFERS);
    List<ChartSlot> slots = ChartSlot.over(span(10), List.of(late), 180);
    assertThat(slots.get(9).windows()).containsExactly(late);
  }
}
