package io.cutover.reconcile.side;

import static io.cutover.reconcile.plan.Plans.in;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.Plans;
import io.cutover.report.Ledgers;
import io.cutover.tally.Tallies;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TopicAccountTest {

  private static final Plan PLAN = new Plans().plan();

  private static Side side(List<TopicRecord> records) throws Exception {
    return Counted.topic(PLAN, records);
  }

  /** Of every kind that is told apart, in windows on both sides of T. */
  @Provide
  Arbitrary<List<TopicRecord>> records() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 20),
            Arbitraries.integers().between(-3, 1),
            Arbitraries.integers().between(0, 3),
            Arbitraries.integers().between(0, 3))
        .as(TopicAccountTest::record)
        .list()
        .ofMaxSize(12);
  }

  private static TopicRecord record(int sequence, int window, int kind, int offset) {
    TopicRecord copy = Written.copy(Written.record(Integer.toString(sequence), in(window)), offset);
    Optional<Origin> origin = copy.origin();
    return switch (kind) {
      case 0 -> copy;
      case 1 -> Written.misplaced(Written.stamped(in(window), copy));
      case 2 -> Written.saying(Optional.empty(), Optional.empty(), copy);
      default -> Written.saying(Optional.of("another"), origin, copy);
    };
  }

  @Property(tries = 100)
  void subtasksMayBeTakenTogetherInAnyGrouping(
      @ForAll("records") List<TopicRecord> a,
      @ForAll("records") List<TopicRecord> b,
      @ForAll("records") List<TopicRecord> c)
      throws Exception {
    assertThat(side(a).plus(side(b)).plus(side(c))).isEqualTo(side(a).plus(side(b).plus(side(c))));
    assertThat(side(a).plus(Side.nothing())).isEqualTo(side(a));
    assertThat(Side.nothing().plus(side(a))).isEqualTo(side(a));
  }

  @Property(tries = 100)
  void countsOfSubtasksAddUp(
      @ForAll("records") List<TopicRecord> a, @ForAll("records") List<TopicRecord> b)
      throws Exception {
    TopicAccount one = side(a).topic();
    TopicAccount other = side(b).topic();
    TopicAccount both = one.plus(other);
    assertThat(both.records()).isEqualTo(a.size() + b.size());
    assertThat(both.outside()).isEqualTo(one.outside() + other.outside());
    assertThat(both.foreignInside()).isEqualTo(one.foreignInside() + other.foreignInside());
    assertThat(both.foreignOutside()).isEqualTo(one.foreignOutside() + other.foreignOutside());
    assertThat(both.foreignWindows().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(both.foreignInside());
    assertThat(both.misplaced().count())
        .isEqualTo(one.misplaced().count() + other.misplaced().count());
    assertThat(both.appendTime().count())
        .isEqualTo(one.appendTime().count() + other.appendTime().count());
    assertThat(both.shards()).containsAll(one.shards()).containsAll(other.shards());
  }

  @Test
  void sumLeavesItsPartsAlone() throws Exception {
    Side one = side(List.of(record(1, -1, 0, 0)));
    Side same = side(List.of(record(1, -1, 0, 0)));
    one.plus(same);
    assertThat(one).isEqualTo(same);
  }

  @Test
  void sidesOfTheStreamAddUp() throws Exception {
    var records = List.of(Written.record("1", in(-1)), Written.record("2", in(-1)));
    Side whole = Counted.stream(PLAN, records, List.of(Ledgers.FULL, Ledgers.UNREAD));
    Side parts =
        Counted.stream(PLAN, records.subList(0, 1), List.of(Ledgers.FULL))
            .plus(Counted.stream(PLAN, records.subList(1, 2), List.of(Ledgers.UNREAD)));
    assertThat(parts).isEqualTo(whole);
  }

  @Test
  void onlyWhatTheComparisonHasTakenInIsLeftOut() throws Exception {
    TopicAccount account =
        side(List.of(
                record(1, -1, 1, 0),
                record(2, -1, 2, 1),
                record(3, -1, 3, 2),
                record(4, 1, 0, 3),
                record(4, 1, 2, 3)))
            .topic();
    TopicAccount left = account.withoutTallies();
    assertThat(left.tallies()).isEqualTo(new Tallies());
    assertThat(left.shards()).isEmpty();
    assertThat(left)
        .usingRecursiveComparison()
        .ignoringFields("tallies", "shards")
        .isEqualTo(account);
  }

  @Test
  void samplesAreTheFirstOfASumAndTheCountIsOfAll() {
    Sampled four = new Sampled(7, List.of("a", "b", "c", "d"));
    Sampled sum = four.plus(new Sampled(2, List.of("e", "f")));
    assertThat(sum).isEqualTo(new Sampled(9, List.of("a", "b", "c", "d", "e")));
    assertThat(four.plus(Sampled.NONE)).isEqualTo(four);
    assertThat(Sampled.NONE.plus(four)).isEqualTo(four);
  }

  @Test
  void samplesBeyondTheFirstAreNotEvenMade() {
    SampledCounter counter = new SampledCounter();
    for (int i = 0; i < Sampled.MOST; i++) {
      int number = i;
      counter.add(() -> "sample " + number);
    }
    counter.add(
        () -> {
          throw new IllegalStateException("one too many");
        });
    assertThat(counter.sampled().count()).isEqualTo(Sampled.MOST + 1);
    assertThat(counter.sampled().samples()).hasSize(Sampled.MOST).startsWith("sample 0");
  }
}
