package io.cutover.reconcile.judge;

import static io.cutover.reconcile.judge.Case.codes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.config.ReconcileOptions;
import io.cutover.kpl.UserRecord;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.side.Written;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.State;
import java.util.ArrayList;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two records may differ, if not stated otherwise. */
class ToleranceTest {

  private final Case given = new Case();

  @BeforeEach
  void tolerance() {
    given.plans.tolerance(2);
    given.plans.config.set(ReconcileOptions.TOLERANCE_PPM, 0);
    given.both(10, 300, -3);
    given.both(10, 500, -1);
  }

  private Verdict verdict() throws Exception {
    return given.verdict().verdict();
  }

  private void assertTolerated(long count) throws Exception {
    VerdictReport report = given.verdict();
    assertThat(report.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(report.findings())
        .filteredOn(finding -> finding.code() == FindingCode.DIFFERENCES_TOLERATED)
        .singleElement()
        .satisfies(finding -> assertThat(finding.count()).isEqualTo(count));
    assertThat(report.buckets()).allMatch(bucket -> bucket.state() == State.TOLERATED);
    assertThat(report.windows()).anyMatch(window -> window.state() == State.TOLERATED);
  }

  private void assertRefused() throws Exception {
    VerdictReport report = given.verdict();
    assertThat(report.verdict()).isEqualTo(Verdict.MISMATCH);
    assertThat(codes(report))
        .doesNotContain(FindingCode.DIFFERENCES_TOLERATED, FindingCode.ORDER_VIOLATED);
    assertThat(report.windows()).noneMatch(window -> window.state() == State.TOLERATED);
  }

  @Test
  void asManyAsAllowedPassAndOneMoreDoesNot() throws Exception {
    given.missing("310", -3);
    given.extra("312", -3);
    assertTolerated(2);
    given.missing("311", -3);
    assertRefused();
  }

  @Test
  void identicalLetsNoneOfThemPass() throws Exception {
    given.missing("310", -3);
    assertTolerated(1);
    given.plans.config.set(ReconcileOptions.REQUIRE, ReconcileOptions.Require.IDENTICAL);
    assertRefused();
  }

  @Test
  void missingAndExtraDoNotCancelInAWindow() throws Exception {
    given.missing("310", -3);
    given.missing("311", -3);
    given.extra("312", -3);
    given.extra("313", -3);
    assertRefused();
  }

  @Test
  void missingInOneWindowDoesNotCancelExtraInAnother() throws Exception {
    given.missing("310", -3);
    given.missing("311", -3);
    assertTolerated(2);
    given.extra("510", -1);
    given.extra("511", -1);
    assertRefused();
  }

  @Test
  void totalIsHeldAgainstTheAllowanceThoughEachWindowIsWithinIt() throws Exception {
    given.missing("310", -3);
    given.missing("510", -1);
    assertTolerated(2);
    given.missing("511", -1);
    assertRefused();
  }

  @Test
  void eachWindowIsHeldAgainstItsOwnAllowanceThoughTheTotalIsWithinIts() throws Exception {
    given.plans.tolerance(0);
    given.plans.config.set(ReconcileOptions.TOLERANCE_PPM, 100_000); // 1 of 10, 2 of 20
    given.topic.remove(0);
    given.topic.remove(given.topic.size() - 1);
    assertTolerated(2); // one in each
    given.both(5, 400, -2);
    given.topic.remove(0); // two of the ten in the first
    assertRefused();
  }

  @Test
  void doubledRecordsCountAsExtra() throws Exception {
    TopicRecord last = given.topic.get(9);
    given.again(last);
    given.again(last);
    assertTolerated(2);
    given.again(last);
    assertRefused();
  }

  @Test
  void alteredRecordIsNeverTolerated() throws Exception {
    TopicRecord copy = given.topic.get(4);
    given.replace(copy, Written.withValue(Optional.of("other".getBytes(UTF_8)), copy));
    assertRefused();
  }

  @Test
  void recordMovedToAnotherWindowIsAlteredAndNeverTolerated() throws Exception {
    TopicRecord copy = given.topic.get(4);
    given.replace(copy, Written.at(Plans.in(-1), copy));
    assertRefused();
  }

  @Test
  void misplacedRecordIsNeverTolerated() throws Exception {
    TopicRecord copy = given.topic.get(4);
    given.replace(copy, Written.misplaced(copy));
    assertRefused();
  }

  @Test
  void windowThatIsEmptyInTheTopicAloneIsNeverTolerated() throws Exception {
    given.missing("400", -2);
    assertRefused();
  }

  @Test
  void windowThatIsEmptyInTheStreamAloneIsNeverTolerated() throws Exception {
    given.extra("490", -2);
    assertRefused();
  }

  @Test
  void windowThatOneShardHasOnBothSidesMayLackAnothersRecord() throws Exception {
    given.both("400", -2);
    given.stream.add(Written.record("other", "1", Plans.in(-2)));
    given.plans.listing(Plans.shard(Plans.SHARD), Plans.shard("other"));
    assertThat(given.verdict().findings())
        .noneMatch(finding -> finding.forces().equals(Optional.of(Verdict.MISMATCH)));
  }

  @Test
  void differenceThatIsNotNamedIsNeverTolerated() throws Exception {
    given.witnessed = true;
    given.expired.add(Written.record("299", Plans.in(-3))); // lost, and cannot be named
    assertRefused();
    assertThat(codes(given.verdict())).contains(FindingCode.RECORDS_UNNAMED);
  }

  /**
   * One record of the expired part is missing, another extra: their counts cancel, and only a
   * doubled third one shows. With one allowed, three would pass.
   */
  @Test
  void namedDifferenceNeverHidesUnnamedOnesBesideIt() throws Exception {
    given.plans.tolerance(1);
    given.witnessed = true;
    UserRecord copied = Written.record("290", Plans.in(-3));
    given.expired.add(copied);
    given.expired.add(Written.record("299", Plans.in(-3))); // missing
    given.copyOf(copied);
    given.extra("295", -3);
    given.again(given.topic.get(5));
    assertRefused();
  }

  @Test
  void foreignRecordInTheSpanIsNeverToleratedAndNotTakenForAToleratedOne() throws Exception {
    TopicRecord live = given.extra("1", -1);
    given.replace(live, Written.saying(Optional.empty(), Optional.empty(), live));
    assertRefused();
  }

  @Test
  void copyWithoutADifferenceIsClearedAndTellsOfNone() throws Exception {
    VerdictReport report = given.verdict();
    assertThat(report.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(codes(report)).doesNotContain(FindingCode.DIFFERENCES_TOLERATED);
  }

  @Property
  void allowanceIsTheFloorOrTheShareRoundedUp(
      @ForAll @LongRange(min = 0, max = 8_000_000_000_000L) long kinesis,
      @ForAll @IntRange(min = 0, max = 1_000_000) int ppm,
      @ForAll @IntRange(min = 0, max = 1000) int floor)
      throws Exception {
    Case empty = new Case();
    empty.plans.tolerance(floor).config.set(ReconcileOptions.TOLERANCE_PPM, ppm);
    Tolerance tolerance =
        new Tolerance(empty.plans.plan(), empty.compared(), empty.named(new ArrayList<>()));
    long share = kinesis * ppm / 1_000_000 + (kinesis * ppm % 1_000_000 == 0 ? 0 : 1);
    assertThat(tolerance.allowed(kinesis)).isEqualTo(Math.max(floor, share));
  }

  @Test
  void allowanceByDefaultIsFiveOr200OfAMillion() throws Exception {
    Case untold = new Case();
    Tolerance tolerance =
        new Tolerance(untold.plans.plan(), untold.compared(), untold.named(new ArrayList<>()));
    assertThat(tolerance.allowed(1)).isEqualTo(5);
    assertThat(tolerance.allowed(25_000)).isEqualTo(5);
    assertThat(tolerance.allowed(25_001)).isEqualTo(6);
    assertThat(tolerance.allowed(1_000_000)).isEqualTo(200);
    assertThat(tolerance.allowed(1_000_001)).isEqualTo(201);
  }
}
