package io.cutover.reconcile.coverage;

import static io.cutover.lineage.EndReason.BOUNDARY;
import static io.cutover.lineage.EndReason.CLOSED;
import static io.cutover.lineage.EndReason.TIP;
import static io.cutover.lineage.EndReason.UNREAD;
import static io.cutover.reconcile.coverage.Given.SLACK;
import static io.cutover.reconcile.coverage.Given.START;
import static io.cutover.reconcile.coverage.Given.T;
import static io.cutover.reconcile.coverage.Given.closed;
import static io.cutover.reconcile.coverage.Given.eighths;
import static io.cutover.reconcile.coverage.Given.ended;
import static io.cutover.reconcile.coverage.Given.mark;
import static io.cutover.reconcile.coverage.Given.met;
import static io.cutover.reconcile.coverage.Given.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShardCoverageTest {

  private static final Instant EARLY = START.plusSeconds(3600);

  private static final Shard LEFT = open("left", 0, 4);
  private static final Shard RIGHT = open("right", 4, 8);

  /** Both halves, open at T and ever since. */
  private static final Pin HALVES = Given.pin(List.of(LEFT, RIGHT), List.of("left", "right"));

  private static ShardCoverage covered(
      Pin pin, List<ReportedShard> report, Collection<Shard> listing) {
    return ShardCoverage.of(pin, SLACK, report, listing, EARLY);
  }

  private static void assertProven(ShardCoverage coverage) {
    assertThat(coverage.findings()).isEmpty();
    assertThat(coverage.tiles()).isTrue();
    assertThat(coverage.shards()).allMatch(shard -> shard.proof().isPresent());
  }

  /** Nothing else is wrong than that these have no proof. */
  private static void assertUnproven(ShardCoverage coverage, String... shards) {
    assertThat(coverage.shards())
        .filteredOn(shard -> shard.proof().isEmpty())
        .extracting(VerdictReport.ShardProof::shard)
        .containsExactly(shards);
    assertThat(coverage.findings())
        .anySatisfy(
            finding -> {
              assertThat(finding.code()).isEqualTo(FindingCode.COVERAGE_INCOMPLETE);
              assertThat(finding.forces()).contains(Verdict.INCONCLUSIVE);
              assertThat(finding.count()).isEqualTo(shards.length);
              assertThat(finding.samples()).hasSize(shards.length);
              for (int i = 0; i < shards.length; i++) {
                assertThat(finding.samples().get(i)).startsWith(shards[i] + ": ");
              }
            });
  }

  private static Finding only(ShardCoverage coverage, FindingCode code) {
    assertThat(coverage.findings()).extracting(Finding::code).containsExactly(code);
    return coverage.findings().get(0);
  }

  // ---- ends

  @Test
  void shardsReadToTheirTipsAreProven() {
    ShardCoverage coverage =
        covered(HALVES, List.of(ended(LEFT, TIP), ended(RIGHT, TIP)), List.of(LEFT, RIGHT));
    assertProven(coverage);
    assertThat(coverage.with(List.of()).shards())
        .containsExactly(
            new VerdictReport.ShardProof(
                "left", true, Optional.of("read to its tip after T + PT1M")),
            new VerdictReport.ShardProof(
                "right", true, Optional.of("read to its tip after T + PT1M")));
  }

  @Test
  void closedShardIsProvenByChildrenThatOwnAllOfItsKeys() {
    Shard parent = closed("left", 0, 4);
    Shard low = open("low", 0, 1, "left");
    Shard high = open("high", 1, 4, "left");
    Pin pin = Given.pin(List.of(parent, RIGHT, low, high), List.of("right", "low", "high"));
    List<ReportedShard> report =
        List.of(ended(parent, CLOSED), ended(RIGHT, TIP), ended(low, TIP), ended(high, TIP));
    assertProven(covered(pin, report, List.of(parent, RIGHT, low, high)));
    assertProven(covered(pin, report, List.of(parent, RIGHT, low, high)));
  }

  @Test
  void closedShardWithAHiddenChildHasNoProof() {
    Shard parent = closed("left", 0, 4);
    Shard low = open("low", 0, 1, "left");
    Pin pin = Given.pin(List.of(parent, RIGHT, low), List.of("right", "low"));
    List<ReportedShard> report = List.of(ended(parent, CLOSED), ended(RIGHT, TIP), ended(low, TIP));
    ShardCoverage coverage = covered(pin, report, List.of(parent, RIGHT, low));
    assertUnproven(coverage, "left");
    assertThat(coverage.tiles()).isFalse();
    assertThat(coverage.findings())
        .filteredOn(finding -> finding.text().contains("hash key exactly once"))
        .hasSize(2)
        .allSatisfy(
            finding ->
                assertThat(finding.samples())
                    .containsExactly("no shard owns hash keys " + KeyTiling.text(eighths(1, 4))));
  }

  @Test
  void mergedShardCoversBothOfItsParents() {
    Shard left = closed("left", 0, 4);
    Shard right = closed("right", 4, 8);
    Shard merged = open("merged", 0, 8, "left", "right");
    List<Shard> all = List.of(left, right, merged);
    Pin pin = Given.pin(all, List.of("merged"));
    assertProven(
        covered(pin, List.of(ended(left, CLOSED), ended(right, CLOSED), ended(merged, TIP)), all));
  }

  @Test
  void tipOfAShardThatWasClosedAtThePinNeedsItsChildren() {
    Shard parent = closed("left", 0, 4);
    Shard child = open("low", 0, 2, "left");
    Shard other = open("high", 2, 4, "left");
    List<Shard> listing = List.of(parent, RIGHT, child, other);
    Pin pin = Given.pin(List.of(parent, RIGHT), List.of("left", "right"));
    ReportedShard tip = ended(parent, TIP);
    assertProven(
        covered(
            pin, List.of(tip, ended(RIGHT, TIP), ended(child, TIP), ended(other, TIP)), listing));
    assertUnproven(covered(pin, List.of(tip, ended(RIGHT, TIP)), listing), "high", "left", "low");
  }

  @Test
  void tipWithOneChildInTheReportNeedsThemAll() {
    Shard low = open("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    ShardCoverage coverage =
        covered(
            HALVES,
            List.of(ended(LEFT, TIP), ended(RIGHT, TIP), ended(low, TIP)),
            List.of(closed("left", 0, 4), RIGHT, low, high));
    assertUnproven(coverage, "high", "left");
  }

  @Test
  void boundaryNeedsARecordFromTPlusSlackOn() {
    assertProven(covered(HALVES, List.of(met(LEFT), ended(RIGHT, TIP)), List.of(LEFT, RIGHT)));
    for (Optional<Mark> last :
        List.of(mark(T.plus(SLACK).minusMillis(1)), Optional.<Mark>empty())) {
      assertUnproven(
          covered(
              HALVES,
              List.of(ended(LEFT, BOUNDARY, last), ended(RIGHT, TIP)),
              List.of(LEFT, RIGHT)),
          "left");
    }
  }

  @Test
  void recordFromTPlusSlackOnEndsAShardAndNothingElseDoes() {
    assertUnproven(
        covered(
            HALVES,
            List.of(ended(LEFT, TIP, mark(T.plus(SLACK))), ended(RIGHT, TIP)),
            List.of(LEFT, RIGHT)),
        "left");
  }

  @Test
  void unreadShardIsProvenByAParentThatMetTheBoundary() {
    Shard parent = closed("left", 0, 4);
    Shard low = closed("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    Shard lowest = open("lowest", 0, 2, "low");
    assertProven(
        covered(
            HALVES,
            List.of(
                met(LEFT),
                ended(RIGHT, TIP),
                ended(low, UNREAD),
                ended(high, UNREAD),
                ended(lowest, UNREAD)),
            List.of(parent, RIGHT, low, high, lowest)));
  }

  @Test
  void unreadShardWithoutSuchAParentHasNoProof() {
    Shard low = open("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    List<Shard> listing = List.of(closed("left", 0, 4), RIGHT, low, high);
    ShardCoverage coverage =
        covered(
            HALVES,
            List.of(ended(LEFT, CLOSED), ended(RIGHT, TIP), ended(low, TIP), ended(high, UNREAD)),
            listing);
    assertUnproven(coverage, "high");
    assertThat(coverage.tiles()).isFalse();
  }

  @Test
  void unreadShardIsNotProvenByAParentWithoutAProof() {
    assertUnproven(
        covered(
            HALVES,
            List.of(ended(LEFT, BOUNDARY), ended(RIGHT, TIP), ended(LOW, UNREAD)),
            List.of(PARENT, RIGHT, LOW)),
        "left",
        "low");
  }

  @Test
  void unreadShardThatHasRecordsHasNoProof() {
    Shard low = open("low", 0, 2, "left");
    assertUnproven(
        covered(
            HALVES,
            List.of(met(LEFT), ended(RIGHT, TIP), ended(low, UNREAD, mark(T.minusSeconds(1)))),
            List.of(closed("left", 0, 4), RIGHT, low)),
        "low");
  }

  @Test
  void unreadShardThatWasOpenAtTHasNoProof() {
    Shard parent = closed("left", 0, 4);
    Shard low = open("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    Pin pin = Given.pin(List.of(parent, RIGHT, low, high), List.of("low", "high", "right"));
    assertUnproven(
        covered(
            pin,
            List.of(met(parent), ended(RIGHT, TIP), ended(low, UNREAD), ended(high, UNREAD)),
            List.of(parent, RIGHT, low, high)),
        "high",
        "low");
  }

  @Test
  void mergeOfABoundaryAndAClosedParentIsUnreadAndProven() {
    Shard merged = open("merged", 0, 8, "left", "right");
    assertProven(
        covered(
            HALVES,
            List.of(met(LEFT), ended(RIGHT, CLOSED), ended(merged, UNREAD)),
            List.of(closed("left", 0, 4), closed("right", 4, 8), merged)));
  }

  @Test
  void shardOfThePinThatIsNotInTheReportHasNoProof() {
    ShardCoverage coverage = covered(HALVES, List.of(ended(LEFT, TIP)), List.of(LEFT, RIGHT));
    assertUnproven(coverage, "right");
    assertThat(coverage.tiles()).isFalse();
  }

  @Test
  void shardThatIsOnlyNamedAsOpenAtTNeedsAProofToo() {
    Pin pin = Given.pin(List.of(LEFT), List.of("left", "right"));
    assertUnproven(covered(pin, List.of(ended(LEFT, TIP)), List.of(LEFT)), "right");
  }

  // ---- resharded after the copy

  @Test
  void childrenOpenedBehindTheCopyAreProvenWhateverTheirParentsMet() {
    Shard low = closed("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    Shard lowest = open("lowest", 0, 2, "low");
    List<Shard> listing = List.of(closed("left", 0, 4), RIGHT, low, high, lowest);
    assertProven(covered(HALVES, List.of(met(LEFT), ended(RIGHT, TIP)), listing));
    assertProven(covered(HALVES, List.of(ended(LEFT, TIP), met(RIGHT)), listing));
  }

  @Test
  void childOfAnUnreadParentIsProven() {
    Shard low = closed("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    assertProven(
        covered(
            HALVES,
            List.of(met(LEFT), ended(RIGHT, TIP), ended(low, UNREAD), ended(high, UNREAD)),
            List.of(closed("left", 0, 4), RIGHT, low, high, open("lowest", 0, 2, "low"))));
  }

  @Test
  void mergeBehindTheCopyIsProvenByEachPairOfOpenEnds() {
    Shard merged = open("merged", 0, 8, "left", "right");
    List<Shard> listing = List.of(closed("left", 0, 4), closed("right", 4, 8), merged);
    assertProven(covered(HALVES, List.of(ended(LEFT, TIP), ended(RIGHT, TIP)), listing));
    assertProven(covered(HALVES, List.of(met(LEFT), ended(RIGHT, TIP)), listing));
    assertProven(covered(HALVES, List.of(met(LEFT), met(RIGHT)), listing));
  }

  @Test
  void childThatAClosedParentHadWasSkipped() {
    Shard merged = open("merged", 0, 8, "left", "right");
    List<Shard> listing = List.of(closed("left", 0, 4), closed("right", 4, 8), merged);
    assertUnproven(
        covered(HALVES, List.of(ended(LEFT, CLOSED), ended(RIGHT, CLOSED)), listing), "merged");
    assertUnproven(
        covered(HALVES, List.of(ended(LEFT, TIP), ended(RIGHT, CLOSED)), listing), "merged");
    assertUnproven(covered(HALVES, List.of(met(LEFT), ended(RIGHT, CLOSED)), listing), "merged");
  }

  @Test
  void furtherChildOfATipWhoseChildrenWereReadHasNoProof() {
    assertUnproven(
        covered(
            HALVES,
            List.of(ended(LEFT, TIP), ended(RIGHT, TIP), ended(LOW, TIP), ended(HIGH, TIP)),
            List.of(PARENT, RIGHT, LOW, HIGH, open("third", 0, 4, "left"))),
        "third");
  }

  @Test
  void childOfASkippedShardHasNoProofEither() {
    Shard low = closed("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    assertUnproven(
        covered(
            HALVES,
            List.of(ended(LEFT, CLOSED), ended(RIGHT, TIP), ended(high, TIP)),
            List.of(closed("left", 0, 4), RIGHT, low, high, open("lowest", 0, 2, "low"))),
        "low",
        "lowest");
  }

  @Test
  void listedShardWithoutAKnownParentIsProvenOnlyWhenTheHorizonHasPassedT() {
    Shard grandchild = open("grandchild", 0, 4, "child");
    List<ReportedShard> report = List.of(ended(LEFT, TIP), ended(RIGHT, TIP));
    assertUnproven(
        ShardCoverage.of(HALVES, SLACK, report, List.of(LEFT, RIGHT, grandchild), T), "grandchild");
    assertProven(
        ShardCoverage.of(HALVES, SLACK, report, List.of(RIGHT, grandchild), T.plusMillis(1)));
  }

  @Test
  void shardThatIsItsOwnAncestorIsNobodysProof() {
    assertUnproven(
        covered(
            HALVES,
            List.of(ended(LEFT, TIP), ended(RIGHT, TIP)),
            List.of(LEFT, RIGHT, open("a", 0, 4, "b"), open("b", 0, 4, "a"))),
        "a",
        "b");
  }

  // ---- the pin

  @Test
  void shardsOpenAtTThatDoNotTileAreSaid() {
    Pin pin = Given.pin(List.of(LEFT, RIGHT), List.of("left"));
    Finding finding =
        only(
            covered(pin, List.of(ended(LEFT, TIP), ended(RIGHT, TIP)), List.of(LEFT, RIGHT)),
            FindingCode.COVERAGE_INCOMPLETE);
    assertThat(finding.text()).contains("open at T");
    assertThat(finding.samples())
        .containsExactly("no shard owns hash keys " + KeyTiling.text(eighths(4, 8)));
  }

  @Test
  void parentThatClosedAtTExactlyWasOpenThenAsItsChildrenWere() {
    Shard parent = closed("left", 0, 4);
    Shard low = open("low", 0, 2, "left");
    Shard high = open("high", 2, 4, "left");
    List<Shard> all = List.of(parent, RIGHT, low, high);
    Pin pin = Given.pin(all, List.of("left", "low", "high", "right"));
    assertProven(
        covered(
            pin,
            List.of(ended(parent, CLOSED), ended(RIGHT, TIP), ended(low, TIP), ended(high, TIP)),
            all));
  }

  // ---- missing

  private static final Shard PARENT = closed("left", 0, 4);
  private static final Shard LOW = open("low", 0, 2, "left");
  private static final Shard HIGH = open("high", 2, 4, "left");
  private static final Pin SPLIT =
      Given.pin(List.of(PARENT, RIGHT, LOW, HIGH), List.of("right", "low", "high"));

  /** The parent is not listed any more. */
  private static ShardCoverage withoutParent(Pin pin, Optional<Mark> last, Instant horizon) {
    return ShardCoverage.of(
        pin,
        SLACK,
        List.of(ended(PARENT, CLOSED, last), ended(RIGHT, TIP), ended(LOW, TIP), ended(HIGH, TIP)),
        List.of(RIGHT, LOW, HIGH),
        horizon);
  }

  @Test
  void closedShardExpiresWithItsLastRecord() {
    Instant last = T.minusSeconds(7200);
    Finding finding = only(withoutParent(SPLIT, mark(last), last), FindingCode.SHARD_MISSING);
    assertThat(finding.forces()).contains(Verdict.INCONCLUSIVE);
    assertThat(finding.samples())
        .containsExactly("left: must be listed until " + last + " expires");
    assertProven(withoutParent(SPLIT, mark(last), last.plusMillis(1)));
  }

  @Test
  void closedShardThatHeldNothingMayBeGoneSinceTheBackfillStart() {
    only(withoutParent(SPLIT, Optional.empty(), START), FindingCode.SHARD_MISSING);
    assertProven(withoutParent(SPLIT, Optional.empty(), START.plusMillis(1)));
  }

  @Test
  void closedShardThatHeldNothingWasOpenedBehindItsParentsLastRecord() {
    Instant last = T.minusSeconds(7200);
    Shard root = closed("root", 0, 4);
    Shard parent = closed("left", 0, 4, "root");
    Pin pin = Given.pin(List.of(root, parent, RIGHT, LOW, HIGH), List.of("right", "low", "high"));
    List<ReportedShard> report =
        List.of(
            ended(root, CLOSED, mark(last)),
            ended(parent, CLOSED),
            ended(RIGHT, TIP),
            ended(LOW, TIP),
            ended(HIGH, TIP));
    List<Shard> listing = List.of(root, RIGHT, LOW, HIGH);
    Finding missing =
        only(ShardCoverage.of(pin, SLACK, report, listing, last), FindingCode.SHARD_MISSING);
    assertThat(missing.samples()).singleElement().asString().startsWith("left: ");
    assertProven(
        ShardCoverage.of(pin, SLACK, report, List.of(RIGHT, LOW, HIGH), last.plusMillis(1)));
  }

  @Test
  void arrivalThatThePinSawCountsToo() {
    Instant oldest = T.minusSeconds(7200);
    Pin pin =
        Given.pin(
            SPLIT.shards(),
            SPLIT.openAtBoundary(),
            List.of(new Pin.OldestArrival("left", Optional.of(oldest))));
    only(withoutParent(pin, Optional.empty(), oldest), FindingCode.SHARD_MISSING);
    assertProven(withoutParent(pin, Optional.empty(), oldest.plusMillis(1)));
  }

  @Test
  void shardThatWasOpenAtTIsListedUntilTExpires() {
    List<ReportedShard> report = List.of(ended(LEFT, TIP), met(RIGHT));
    List<Shard> behind = List.of(open("child", 0, 4, "left"), RIGHT);
    only(ShardCoverage.of(HALVES, SLACK, report, behind, T), FindingCode.SHARD_MISSING);
    assertProven(ShardCoverage.of(HALVES, SLACK, report, behind, T.plusMillis(1)));
    only(ShardCoverage.of(HALVES, SLACK, report, List.of(LEFT), T), FindingCode.SHARD_MISSING);
  }

  /** Opened between T and the pin, that is. */
  @Test
  void shardThatWasOpenAtThePinIsListedUntilTExpires() {
    Pin pin = Given.pin(List.of(LEFT, RIGHT), List.of("left"));
    ShardCoverage coverage =
        ShardCoverage.of(
            pin, SLACK, List.of(ended(LEFT, TIP), ended(RIGHT, TIP)), List.of(LEFT), T);
    assertThat(coverage.findings())
        .filteredOn(finding -> finding.code() == FindingCode.SHARD_MISSING)
        .singleElement()
        .satisfies(finding -> assertThat(finding.samples().get(0)).startsWith("right: "));
  }

  @Test
  void shardOpenedBehindTheBoundaryIsListedUntilTExpires() {
    List<ReportedShard> report =
        List.of(met(LEFT), ended(RIGHT, TIP), ended(LOW, UNREAD), ended(HIGH, UNREAD));
    List<Shard> listing = List.of(PARENT, RIGHT, HIGH);
    Finding finding =
        only(ShardCoverage.of(HALVES, SLACK, report, listing, T), FindingCode.SHARD_MISSING);
    assertThat(finding.samples()).singleElement().asString().startsWith("low: ");
  }

  // ---- changed

  @Test
  void otherHashRangeIsSaidWithWhoSaysWhat() {
    Finding finding =
        only(
            covered(
                HALVES,
                List.of(ended(LEFT, TIP), ended(RIGHT, TIP)),
                List.of(open("left", 0, 3), RIGHT)),
            FindingCode.SHARD_CHANGED);
    assertThat(finding.forces()).contains(Verdict.INCONCLUSIVE);
    assertThat(finding.samples())
        .containsExactly(
            "left: its hash range is in the pin "
                + KeyTiling.text(eighths(0, 4))
                + ", in the report "
                + KeyTiling.text(eighths(0, 4))
                + ", in today's listing "
                + KeyTiling.text(eighths(0, 3)));
  }

  @Test
  void otherParentsAreSaid() {
    Finding finding =
        only(
            covered(
                HALVES,
                List.of(ended(LEFT, TIP), ended(RIGHT, TIP)),
                List.of(open("left", 0, 4, "x"), RIGHT)),
            FindingCode.SHARD_CHANGED);
    assertThat(finding.samples()).singleElement().asString().contains("parents", "[x]");
  }

  @Test
  void orderOfParentsSaysNothing() {
    Shard merged = open("merged", 0, 8, "a", "b");
    assertProven(
        covered(
            Given.pin(List.of(merged), List.of("merged")),
            List.of(ended(merged, TIP)),
            List.of(open("merged", 0, 8, "b", "a"))));
  }

  @Test
  void shardThatIsOpenAgainIsAnother() {
    Finding finding =
        only(
            covered(
                SPLIT,
                List.of(
                    ended(PARENT, CLOSED), ended(RIGHT, TIP), ended(LOW, TIP), ended(HIGH, TIP)),
                List.of(LEFT, RIGHT, LOW, HIGH)),
            FindingCode.SHARD_CHANGED);
    assertThat(finding.samples()).singleElement().asString().contains("open");
  }
}
