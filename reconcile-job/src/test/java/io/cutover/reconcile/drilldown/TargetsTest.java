package io.cutover.reconcile.drilldown;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.BucketKey;
import io.cutover.reconcile.drilldown.Targets.Range;
import io.cutover.reconcile.drilldown.Targets.Run;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.tally.Tally;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TargetsTest {

  private static final Tally COPIED = new Tally(1, 1, 7, 7, "1", "1");

  private static Bucket bucket(String shard, long window, String lowest, String highest) {
    return new Bucket(
        new BucketKey(shard, window),
        Evidence.REREAD,
        Optional.of(new Tally(1, 1, 1, 1, lowest, highest)),
        Optional.of(COPIED));
  }

  private static Bucket onlyInTopic(String shard, long window) {
    return new Bucket(
        new BucketKey(shard, window), Evidence.REREAD, Optional.empty(), Optional.of(COPIED));
  }

  @Test
  void windowsOneAfterTheOtherAreOneRun() {
    Targets.Target target =
        Targets.of(
                List.of(
                    bucket("a", -9, "1", "2"),
                    bucket("a", -5, "3", "4"),
                    bucket("a", -4, "5", "6"),
                    bucket("a", -3, "7", "8")))
            .of("a")
            .orElseThrow();
    assertThat(target.windows()).containsExactly(new Run(-9, -9), new Run(-5, -3));
  }

  @Test
  void shardsAreApart() {
    Targets targets = Targets.of(List.of(bucket("a", -5, "1", "2"), bucket("b", -4, "3", "4")));
    assertThat(targets.of("a").orElseThrow().has(-5)).isTrue();
    assertThat(targets.of("a").orElseThrow().has(-4)).isFalse();
    assertThat(targets.of("b").orElseThrow().has(-4)).isTrue();
    assertThat(targets.of("c")).isEmpty();
  }

  @Test
  void rangeIsFromTheLowestToTheHighestOfTheStreamAsNumbers() {
    Targets.Target target =
        Targets.of(List.of(bucket("a", -5, "99", "1000"), bucket("a", -2, "100", "999")))
            .of("a")
            .orElseThrow();
    assertThat(target.range()).contains(new Range("99", "1000"));
  }

  @Test
  void bucketsThatOnlyTheTopicHasGiveNoRange() {
    Targets targets = Targets.of(List.of(onlyInTopic("a", -5), onlyInTopic("b", -5)));
    assertThat(targets.of("a").orElseThrow().range()).isEmpty();
    Targets both = Targets.of(List.of(onlyInTopic("a", -5), bucket("a", -4, "3", "4")));
    assertThat(both.of("a").orElseThrow().range()).contains(new Range("3", "4"));
  }

  @Test
  void rangeHoldsBothItsEnds() {
    Range range = new Range("99", "1000");
    assertThat(range.contains("99")).isTrue();
    assertThat(range.contains("1000")).isTrue();
    assertThat(range.contains("98")).isFalse();
    assertThat(range.contains("1001")).isFalse();
    assertThat(range.endsBefore("1000")).isFalse();
    assertThat(range.endsBefore("1001")).isTrue();
  }

  @Property
  void exactlyTheWindowsThatDifferAreTargets(
      @ForAll @Size(max = 30) List<@LongRange(min = -40, max = -1) Long> windows) {
    TreeSet<Long> differing = new TreeSet<>(windows);
    Targets targets =
        Targets.of(differing.stream().map(window -> bucket("a", window, "1", "2")).toList());
    for (long window = -42; window < 2; window++) {
      long asked = window;
      assertThat(targets.of("a").map(target -> target.has(asked)).orElse(false))
          .isEqualTo(differing.contains(window));
    }
    // No two runs could be one.
    targets
        .of("a")
        .ifPresent(
            target -> {
              for (int i = 1; i < target.windows().size(); i++) {
                assertThat(target.windows().get(i).first())
                    .isGreaterThan(target.windows().get(i - 1).last() + 1);
              }
            });
  }
}
