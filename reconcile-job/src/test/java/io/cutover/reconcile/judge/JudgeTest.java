package io.cutover.reconcile.judge;

import static io.cutover.reconcile.judge.Case.codes;
import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.T;
import static io.cutover.reconcile.plan.Plans.in;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.config.ReconcileOptions;
import io.cutover.kpl.UserRecord;
import io.cutover.pin.Pins;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.side.Written;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import io.cutover.reconcile.verdict.VerdictReport.State;
import io.cutover.report.ExpiredUnread;
import io.cutover.source.Mark;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JudgeTest {

  private final Case given = new Case();

  JudgeTest() {
    given.both(10, 300, -3);
    given.both(10, 500, -1);
  }

  /** The only finding that forces anything. */
  private Finding reason(Verdict verdict, FindingCode code) throws Exception {
    VerdictReport report = given.verdict();
    assertThat(report.verdict()).isEqualTo(verdict);
    assertThat(report.findings())
        .filteredOn(finding -> finding.forces().isPresent())
        .extracting(Finding::code)
        .containsExactly(code);
    return report.reasons().get(0);
  }

  /** It is told, and clears all the same. */
  private Finding told(FindingCode code) throws Exception {
    VerdictReport report = given.verdict();
    assertThat(report.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(codes(report)).containsExactly(code);
    return report.findings().get(0);
  }

  @Test
  void rightCopyIsClearedWithoutAFinding() throws Exception {
    VerdictReport report = given.verdict();
    assertThat(report.findings()).isEmpty();
    assertThat(report.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(report.windows()).extracting(VerdictReport.Window::state).containsOnly(State.AGREES);
    assertThat(report.buckets()).isEmpty();
    assertThat(report.totals().kinesis()).isEqualTo(report.totals().kafka());
    assertThat(report.totals().kinesis().records()).isEqualTo(20);
  }

  @Test
  void missingRecordIsAMismatch() throws Exception {
    given.missing("310", -3);
    given.plans.reported =
        List.of(Plans.copied(SHARD, new Mark("300", in(-3)), new Mark("600", in(-1))));
    assertThat(reason(Verdict.MISMATCH, FindingCode.RECORDS_MISSING).samples().get(0))
        .contains(SHARD + " 310");
  }

  @Test
  void stragglerIsAMismatch() throws Exception {
    given.missing("600", -1);
    reason(Verdict.MISMATCH, FindingCode.RECORDS_STRAGGLED);
  }

  @Test
  void extraRecordIsAMismatch() throws Exception {
    given.extra("600", -1);
    reason(Verdict.MISMATCH, FindingCode.RECORDS_EXTRA);
  }

  @Test
  void doubledRecordIsAMismatch() throws Exception {
    given.again(given.topic.get(4));
    reason(Verdict.MISMATCH, FindingCode.RECORDS_DOUBLED);
  }

  @Test
  void alteredRecordIsAMismatch() throws Exception {
    TopicRecord copy = given.topic.get(4);
    given.replace(copy, Written.withValue(Optional.empty(), copy));
    assertThat(reason(Verdict.MISMATCH, FindingCode.RECORDS_ALTERED).count()).isEqualTo(1);
  }

  @Test
  void misplacedRecordIsAMismatchAndNotAltered() throws Exception {
    TopicRecord copy = given.topic.get(4);
    given.replace(copy, Written.misplaced(copy));
    reason(Verdict.MISMATCH, FindingCode.RECORDS_MISPLACED);
    assertThat(given.verdict().differences().total()).isEqualTo(1);
    // Nor where another record of the bucket differs.
    given.missing("600", -3);
    assertThat(codes(given.verdict())).doesNotContain(FindingCode.RECORDS_ALTERED);
    assertThat(given.verdict().differences().total()).isEqualTo(2);
  }

  @Test
  void recordOfOthersInTheSpanIsAMismatchAndOutsideItIsNot() throws Exception {
    TopicRecord live = Written.saying(Optional.empty(), Optional.empty(), given.extra("1", -1));
    given.topic.set(20, live);
    reason(Verdict.MISMATCH, FindingCode.RECORDS_WITHOUT_ORIGIN);
    given.topic.set(20, Written.at(in(0), live));
    assertThat(told(FindingCode.LIVE_RECORDS).count()).isEqualTo(1);
  }

  @Test
  void windowOfRecordsOfOthersAloneDiffers() throws Exception {
    TopicRecord live = Written.saying(Optional.empty(), Optional.empty(), given.extra("1", -7));
    given.topic.set(20, live);
    VerdictReport.Window window = given.verdict().windows().get(0);
    assertThat(window.start()).isEqualTo(T.minus(Duration.ofHours(7)));
    assertThat(window.foreign()).isEqualTo(1);
    assertThat(window.state()).isEqualTo(State.DIFFERS);
  }

  @Test
  void recordOfAnotherPinIsAMismatch() throws Exception {
    TopicRecord copy = given.extra("1", -1);
    given.topic.set(20, Written.saying(Optional.of("another"), copy.origin(), copy));
    reason(Verdict.MISMATCH, FindingCode.RECORDS_OF_ANOTHER_PIN);
  }

  @Test
  void disorderIsAMismatch() throws Exception {
    given.inOrder = false;
    TopicRecord first = given.topic.get(0);
    TopicRecord second = Written.at(first.partition(), 1, given.topic.get(1));
    given.topic.clear();
    given.stream.subList(2, given.stream.size()).clear();
    given.topic.addAll(List.of(second, Written.at(first.partition(), 2, first)));
    given.plans.config.set(ReconcileOptions.REQUIRE, ReconcileOptions.Require.TOLERANCE);
    assertThat(given.verdict().reasons())
        .extracting(Finding::code)
        .contains(FindingCode.ORDER_VIOLATED);
  }

  @Test
  void differenceThatCannotBeNamedIsAMismatch() throws Exception {
    given.witnessed = true;
    given.expired.add(Written.record("1", in(-9)));
    Finding unnamed = reason(Verdict.MISMATCH, FindingCode.RECORDS_UNNAMED);
    assertThat(unnamed.samples().get(0)).contains("1 in the stream, 0 in the topic");
    assertThat(given.verdict().buckets())
        .singleElement()
        .satisfies(
            bucket -> {
              assertThat(bucket.named()).isFalse();
              assertThat(bucket.evidence()).isEqualTo(Evidence.WITNESS);
            });
  }

  @Test
  void witnessedBucketThatAgreesIsCleared() throws Exception {
    given.witnessed = true;
    UserRecord expired = Written.record("1", in(-9));
    given.expired.add(expired);
    given.copyOf(expired);
    VerdictReport report = given.verdict();
    assertThat(report.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(report.windows().get(0).evidence().witness()).isEqualTo(1);
  }

  @Test
  void bucketThatNothingTellsOfIsPartialWhetherTheTopicHasItOrNot() throws Exception {
    UserRecord expired = Written.record("1", in(-9));
    given.expired.add(expired);
    reason(Verdict.PARTIAL, FindingCode.NOT_COMPARED);
    given.copyOf(expired);
    reason(Verdict.PARTIAL, FindingCode.NOT_COMPARED);
    assertThat(given.verdict().windows().get(0).state()).isEqualTo(State.NOT_COMPARED);
  }

  @Test
  void spotCheckIsPartial() throws Exception {
    given.plans.from = Optional.of(T.minusSeconds(1));
    reason(Verdict.PARTIAL, FindingCode.WINDOW_NARROWED);
  }

  @Test
  void narrowedPinIsPartial() throws Exception {
    given.plans.from = Optional.of(Pins.any().start().plusMillis(1));
    reason(Verdict.PARTIAL, FindingCode.WINDOW_NARROWED);
  }

  @Test
  void expiredUnreadIsPartialUntilItIsAcceptedUpToItsEnd() throws Exception {
    given.plans.expiredUnread =
        Optional.of(new ExpiredUnread.Span(T.minusSeconds(7200), T.minusSeconds(3600)));
    reason(Verdict.PARTIAL, FindingCode.EXPIRED_UNREAD);
    accept("2026-03-01T11:00:00.499Z");
    reason(Verdict.PARTIAL, FindingCode.EXPIRED_UNREAD);
    accept("2026-03-01T11:00:00.500Z");
    told(FindingCode.EXPIRED_ACCEPTED);
  }

  private void accept(String before) {
    given.plans.config.set(ReconcileOptions.ACCEPT_EXPIRED_BEFORE, before);
  }

  @Test
  void recountThatDiffersIsInconclusiveAndOneThatExpiredIsNot() throws Exception {
    Count read = new Count(10, 100);
    given.recounts.add(new Recount(SHARD, T.minusSeconds(3600), T, read, Optional.empty()));
    given.recounts.add(new Recount(SHARD, T.minusSeconds(3600), T, read, Optional.of(read)));
    assertThat(given.verdict().verdict()).isEqualTo(Verdict.CLEARED);
    given.recounts.add(
        new Recount(SHARD, T.minusSeconds(3600), T, read, Optional.of(new Count(10, 101))));
    reason(Verdict.INCONCLUSIVE, FindingCode.RECOUNT_DIFFERS);
  }

  @Test
  void shardThatIsMissingIsInconclusive() throws Exception {
    given.plans.listing();
    given.plans.horizon = Pins.any().start();
    assertThat(given.verdict().verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(codes(given.verdict())).contains(FindingCode.SHARD_MISSING);
  }

  @Test
  void nothingOnEitherSideIsClearedAndSaidSo() throws Exception {
    given.stream.clear();
    given.topic.clear();
    told(FindingCode.NO_RECORDS);
  }

  @Test
  void findingsOfTheSurveyAndOfTheReadingAreToldWithTheirOwnForce() throws Exception {
    given.plans.findings =
        List.of(Finding.of(FindingCode.LOG_START_MOVED, Optional.empty(), 1, "text"));
    told(FindingCode.LOG_START_MOVED);
    given.whileReading.add(
        Finding.of(FindingCode.WITNESS_UNUSABLE, Optional.of(Verdict.INCONCLUSIVE), 1, "text"));
    reason(Verdict.INCONCLUSIVE, FindingCode.WITNESS_UNUSABLE);
  }

  @Test
  void worstOfAllFindingsIsTheVerdict() throws Exception {
    given.plans.from = Optional.of(T.minus(Duration.ofHours(4)));
    assertThat(given.verdict().verdict()).isEqualTo(Verdict.PARTIAL);
    given.extra("600", -1);
    assertThat(given.verdict().verdict()).isEqualTo(Verdict.MISMATCH);
    Count read = new Count(1, 1);
    given.recounts.add(
        new Recount(SHARD, T.minusSeconds(3600), T, read, Optional.of(Count.NOTHING)));
    assertThat(given.verdict().verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(codes(given.verdict()))
        .contains(
            FindingCode.RECOUNT_DIFFERS, FindingCode.RECORDS_EXTRA, FindingCode.WINDOW_NARROWED);
  }

  @Test
  void windowIsAsBadAsTheWorstOfItsShards() throws Exception {
    given.stream.add(Written.record("other", "1", in(-1)));
    VerdictReport report = given.verdict();
    assertThat(report.windows())
        .extracting(VerdictReport.Window::state)
        .containsExactly(State.AGREES, State.DIFFERS);
    VerdictReport.Window last = report.windows().get(1);
    assertThat(last.kinesis().records()).isEqualTo(11);
    assertThat(last.kafka().records()).isEqualTo(10);
    assertThat(last.missing()).isEqualTo(1);
    assertThat(last.evidence().reread()).isEqualTo(2);
    assertThat(report.buckets()).singleElement().matches(VerdictReport.Bucket::named);
    assertThat(report.buckets().get(0).kafkaDigest()).isEqualTo("0".repeat(32));
  }

  @Test
  void timingsAreOneBehindTheOther() throws Exception {
    VerdictReport report = given.report(T.plus(Duration.ofHours(3)).plusSeconds(5));
    VerdictReport.Timings timings = report.timings();
    assertThat(timings.survey()).isEqualTo(Duration.ofMillis(812));
    assertThat(timings.compare()).isEqualTo(Duration.ofSeconds(5));
    assertThat(timings.survey().plus(timings.read()).plus(timings.compare()))
        .isEqualTo(Duration.between(report.run().startedAt(), report.run().finishedAt()));
    assertThat(timings.kafkaRecords()).isEqualTo(20);
  }
}
