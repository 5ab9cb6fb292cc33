package io.cutover.reconcile.drilldown;

import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.T;
import static io.cutover.reconcile.plan.Plans.in;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.compare.Comparison;
import io.cutover.reconcile.compare.Reread;
import io.cutover.reconcile.drilldown.Targets.Range;
import io.cutover.reconcile.drilldown.Targets.Run;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.plan.TopicOffsets;
import io.cutover.reconcile.plan.Travelled;
import io.cutover.reconcile.side.Counted;
import io.cutover.reconcile.side.Sampled;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.side.TopicAccount;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.side.Written;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import io.cutover.report.Ledgers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the parts of the job send each other arrives as it was sent. */
class TravelTest {

  private static final Plan PLAN = new Plans().plan();

  private static <T> void assertTravels(Class<T> type, T value) throws IOException {
    assertThat(Travelled.of(type, value)).isEqualTo(value);
  }

  /** Both sides with something in each of their parts. */
  private static Side sides() throws Exception {
    TopicRecord copy = Written.copy(Written.record("1", in(-3)), 0);
    return Counted.stream(
            PLAN,
            List.of(Written.record("1", in(-3)), Written.record("b", "1", in(-2))),
            List.of(Ledgers.FULL, Ledgers.UNREAD, Reread.empty(SHARD)))
        .plus(
            Counted.topic(
                PLAN,
                List.of(
                    copy,
                    Written.misplaced(copy),
                    Written.copy(Written.record("0", in(-3)), 2),
                    Written.at(in(1), copy),
                    Written.saying(Optional.empty(), Optional.empty(), copy),
                    Written.saying(Optional.of("another"), copy.origin(), copy),
                    Written.saying(Optional.empty(), Optional.empty(), Written.at(in(2), copy)))));
  }

  @Test
  void sidesTravel() throws Exception {
    assertTravels(Side.class, Side.nothing());
    assertTravels(Side.class, sides());
  }

  @Test
  void toldTravels() throws Exception {
    Side sides = sides();
    Comparison comparison = Comparison.of(PLAN, sides, Optional.of(Ledgers.witnessOfFull()));
    assertThat(comparison.differing()).isNotEmpty();
    assertThat(comparison.buckets()).anyMatch(bucket -> bucket.kafka().isEmpty());
    assertTravels(
        Told.class,
        Told.of(
            new Compared(
                comparison,
                sides.topic().withoutTallies(),
                17,
                new Sampled(1, List.of("one")),
                List.of(
                    Finding.of(FindingCode.WITNESS_UNUSABLE, Optional.empty(), 1, "text"),
                    new Finding(
                        FindingCode.WITNESS_UNUSABLE,
                        Optional.of(Verdict.INCONCLUSIVE),
                        1,
                        "text",
                        List.of("sample"))),
                T.plusNanos(1_000_001))));
    assertTravels(
        Told.class,
        Told.of(
            new Compared(
                new Comparison(List.of(), List.of(), List.of()),
                TopicAccount.nothing(),
                0,
                Sampled.NONE,
                List.of(),
                T)));
    assertTravels(Told.class, Told.of(new ShardRead("a", Optional.empty(), Optional.of("gone"))));
    assertTravels(Told.class, Told.of(new ShardRead("a", Optional.of("1"), Optional.empty())));
    assertTravels(Told.class, Told.of(new Recount("a", T, T, new Count(1, 2), Optional.empty())));
    assertTravels(
        Told.class, Told.of(new Recount("a", T, T, new Count(1, 2), Optional.of(new Count(3, 4)))));
  }

  @Test
  void workTravels() throws Exception {
    Targets.Target target =
        new Targets.Target(
            List.of(new Run(-9, -7), new Run(-1, -1)), Optional.of(new Range("1", "10")));
    Targets.Target withoutRange = new Targets.Target(List.of(), Optional.empty());
    assertTravels(Work.class, Work.of(new Work.OfShard("a", target)));
    assertTravels(
        Work.class,
        Work.of(
            new Work.OfPartition(
                new TopicOffsets(3, 0, Long.MAX_VALUE),
                new Targets(Map.of("a", target, "b", withoutRange)),
                true,
                false)));
    assertTravels(
        Work.class,
        Work.of(
            new Work.OfPartition(new TopicOffsets(0, 0, 0), new Targets(Map.of()), false, true)));
    assertTravels(
        Work.class, Work.of(new Work.OfRecount("a", T, T, new Count(1, 2), target.range())));
    assertTravels(
        Work.class, Work.of(new Work.OfRecount("a", T, T, Count.NOTHING, Optional.empty())));
  }
}
