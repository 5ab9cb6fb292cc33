package io.cutover.lineage;

import static io.cutover.lineage.EndReason.BOUNDARY;
import static io.cutover.lineage.EndReason.CLOSED;
import static io.cutover.lineage.EndReason.TIP;
import static io.cutover.lineage.EndReason.UNREAD;
import static io.cutover.lineage.Shards.closed;
import static io.cutover.lineage.Shards.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import io.cutover.lineage.LineageTracker.Released;
import io.cutover.lineage.LineageTracker.Status;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LineageTrackerTest {

  private static final Shard LEFT = closed("left", 0, 4);
  private static final Shard RIGHT = closed("right", 4, 8);
  private static final Shard MERGED = open("merged", 0, 8, "left", "right");

  private final LineageTracker tracker = new LineageTracker(ReleasePolicy.ORDERED);

  private void listed(Shard... shards) {
    tracker.learn(List.of(shards), tracker.endedSoFar());
  }

  private void assigned(String... ids) {
    for (String id : ids) {
      tracker.assigned(id);
    }
  }

  // ---- release

  @Test
  void rootsGoToAny() {
    listed(LEFT, RIGHT, MERGED);
    assertThat(tracker.release())
        .containsExactly(new Released.ToAny(LEFT), new Released.ToAny(RIGHT));
  }

  @Test
  void assignedShardIsNotReleasedAgain() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left");
    assertThat(tracker.release()).containsExactly(new Released.ToAny(RIGHT));
  }

  @Test
  void childIsNotReleasedBeforeBothParentsAreCovered() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    assertThat(tracker.release()).isEmpty();
    tracker.ended("left", CLOSED, 0);
    tracker.ended("right", CLOSED, 1);
    assertThat(tracker.release()).isEmpty();
    tracker.covered("left", CLOSED);
    tracker.covered("right", CLOSED);
    assertThat(tracker.release()).containsExactly(new Released.ToAny(MERGED));
  }

  @Test
  void childGoesToTheSubtaskWhereAllParentsEnded() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", CLOSED, 3);
    assertThat(tracker.release()).isEmpty();
    tracker.ended("right", CLOSED, 3);
    assertThat(tracker.release()).containsExactly(new Released.ToSubtask(MERGED, 3));
  }

  @Test
  void childGoesToTheSubtaskOfTheOneParentThatIsNotCoveredYet() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", CLOSED, 0);
    tracker.covered("left", CLOSED);
    tracker.ended("right", CLOSED, 1);
    assertThat(tracker.release()).containsExactly(new Released.ToSubtask(MERGED, 1));
  }

  @Test
  void listedParentThatIsNotFinishedIsNeverTakenForFinished() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left");
    tracker.ended("left", CLOSED, 0);
    tracker.covered("left", CLOSED);
    assertThat(tracker.release()).containsExactly(new Released.ToAny(RIGHT));
  }

  @Test
  void expiredParentConstrainsNothing() {
    listed(RIGHT, MERGED);
    assigned("right");
    tracker.ended("right", CLOSED, 0);
    tracker.covered("right", CLOSED);
    assertThat(tracker.release()).containsExactly(new Released.ToAny(MERGED));
  }

  @Test
  void unorderedChildIsReleasedBesideItsParents() {
    LineageTracker unordered = new LineageTracker(ReleasePolicy.UNORDERED);
    unordered.learn(List.of(LEFT, RIGHT, MERGED), Set.of());
    assertThat(unordered.release())
        .containsExactly(
            new Released.ToAny(LEFT), new Released.ToAny(RIGHT), new Released.ToAny(MERGED));
  }

  @Test
  void boundaryMakesDescendantsUnreadAtOnceAndTransitively() {
    Shard child = closed("child", 0, 8, "left", "right");
    Shard grandchild = open("grandchild", 0, 8, "child");
    listed(LEFT, RIGHT, child, grandchild);
    assigned("left", "right");
    tracker.ended("left", BOUNDARY, 0);
    assertThat(tracker.release()).containsExactly(new Released.Unread(child));
    assigned("child");
    tracker.ended("child", UNREAD, 1);
    assertThat(tracker.release()).containsExactly(new Released.Unread(grandchild));
  }

  @Test
  void boundaryMakesDescendantsUnreadInAnyOrderOfRelease() {
    LineageTracker unordered = new LineageTracker(ReleasePolicy.UNORDERED);
    unordered.learn(List.of(LEFT, RIGHT), Set.of());
    unordered.assigned("left");
    unordered.assigned("right");
    unordered.ended("left", BOUNDARY, 0);
    unordered.learn(List.of(LEFT, RIGHT, MERGED), unordered.endedSoFar());
    assertThat(unordered.release()).containsExactly(new Released.Unread(MERGED));
  }

  @Test
  void childrenOfAShardThatEndedAtTheTipAreRead() {
    listed(LEFT, RIGHT);
    assigned("left", "right");
    tracker.covered("left", TIP);
    tracker.covered("right", TIP);
    listed(LEFT, RIGHT, MERGED);
    assertThat(tracker.release()).containsExactly(new Released.ToAny(MERGED));
  }

  // ---- what has ended

  @Test
  void repeatedReportsChangeNothing() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", CLOSED, 0);
    tracker.ended("left", CLOSED, 1);
    assertThat(tracker.statuses().get("left")).isEqualTo(new Status.Ended(CLOSED, 0));
    tracker.covered("left", CLOSED);
    tracker.covered("left", CLOSED);
    tracker.ended("left", CLOSED, 0);
    assertThat(tracker.statuses().get("left")).isEqualTo(new Status.Covered(CLOSED));
  }

  @Test
  void givenBackShardIsReleasedAgain() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", TIP, 0);
    tracker.givenBack("left");
    assertThat(tracker.release()).containsExactly(new Released.ToAny(LEFT));
    assertThat(tracker.endedSoFar()).isEmpty();
    assertThat(tracker.done()).isFalse();
  }

  @Test
  void resetSubtaskReadsAgainWhatItHadEndedSinceItsCheckpoint() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", CLOSED, 0);
    tracker.covered("left", CLOSED);
    tracker.ended("right", CLOSED, 0);
    tracker.subtaskReset(0);
    assertThat(tracker.statuses().get("left")).isEqualTo(new Status.Covered(CLOSED));
    assertThat(tracker.statuses().get("right")).isEqualTo(new Status.Reading());
    assertThat(tracker.release()).isEmpty();
    assertThat(tracker.reading()).isTrue();
  }

  @Test
  void resetOfAnotherSubtaskChangesNothing() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", CLOSED, 0);
    tracker.subtaskReset(1);
    assertThat(tracker.statuses().get("left")).isEqualTo(new Status.Ended(CLOSED, 0));
    assertThat(tracker.statuses().get("right")).isEqualTo(new Status.Reading());
  }

  @Test
  void endOfAnUnknownShardIsAFault() {
    listed(LEFT);
    assertThatThrownBy(() -> tracker.ended("other", CLOSED, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("other")
        .hasMessageContaining("left");
    assertThatThrownBy(() -> tracker.covered("other", CLOSED))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> tracker.assigned("other")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> tracker.givenBack("other")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void tipThatIsReadAgainAfterALossAwaitsAListingOfItsOwn() {
    Shard only = open("only", 0, 8);
    listed(only);
    assigned("only");
    tracker.ended("only", TIP, 0);
    tracker.subtaskReset(0);
    Set<String> beforeTheEnd = tracker.endedSoFar();
    tracker.ended("only", TIP, 0);
    tracker.learn(List.of(only), beforeTheEnd);
    assertThat(tracker.awaitingChildren()).containsExactly("only");
  }

  @Test
  void tipThatIsFirstHeardOfAsCoveredAwaitsAListingToo() {
    Shard only = open("only", 0, 8);
    listed(only);
    assigned("only");
    tracker.covered("only", TIP);
    assertThat(tracker.awaitingChildren()).containsExactly("only");
    listed(only);
    tracker.covered("only", TIP);
    assertThat(tracker.awaitingChildren()).isEmpty();
  }

  // ---- restore

  @Test
  void restoredTakesEndedForCovered() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", CLOSED, 0);
    tracker.ended("right", CLOSED, 1);
    LineageTracker restored =
        LineageTracker.restored(ReleasePolicy.ORDERED, tracker.lineage(), tracker.statuses());
    assertThat(restored.statuses().get("left")).isEqualTo(new Status.Covered(CLOSED));
    assertThat(restored.release()).containsExactly(new Released.ToAny(MERGED));
  }

  @Test
  void restoredLeavesWhatWasReadingToItsReader() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left");
    LineageTracker restored =
        LineageTracker.restored(ReleasePolicy.ORDERED, tracker.lineage(), tracker.statuses());
    assertThat(restored.release()).containsExactly(new Released.ToAny(RIGHT));
    restored.covered("left", CLOSED);
    assertThat(restored.statuses().get("left")).isEqualTo(new Status.Covered(CLOSED));
  }

  @Test
  void restoredListsAnewBeforeATipIsBelieved() {
    listed(open("only", 0, 8));
    assigned("only");
    tracker.ended("only", TIP, 0);
    tracker.covered("only", TIP);
    listed(open("only", 0, 8));
    assertThat(tracker.done()).isTrue();
    LineageTracker restored =
        LineageTracker.restored(ReleasePolicy.ORDERED, tracker.lineage(), tracker.statuses());
    assertThat(restored.done()).isFalse();
    assertThat(restored.awaitingChildren()).containsExactly("only");
  }

  // ---- children to come

  @Test
  void closedShardAwaitsChildrenThatOwnAllOfItsKeys() {
    listed(LEFT);
    assigned("left");
    tracker.covered("left", CLOSED);
    listed(LEFT);
    assertThat(tracker.awaitingChildren()).containsExactly("left");
    assertThat(tracker.done()).isFalse();
    listed(LEFT, open("a", 0, 2, "left"));
    assertThat(tracker.awaitingChildren()).containsExactly("left");
    listed(LEFT, open("a", 0, 2, "left"), open("b", 2, 4, "left"));
    assertThat(tracker.awaitingChildren()).isEmpty();
    assertThat(tracker.release()).hasSize(2);
  }

  @Test
  void endByTheServersWordAwaitsChildrenThoughTheListingStillShowsTheShardOpen() {
    listed(open("only", 0, 8));
    assigned("only");
    tracker.covered("only", CLOSED);
    listed(open("only", 0, 8));
    assertThat(tracker.awaitingChildren()).containsExactly("only");
    assertThat(tracker.done()).isFalse();
  }

  @Test
  void tipAwaitsAListingBegunAfterItsEnd() {
    Shard only = open("only", 0, 8);
    listed(only);
    assigned("only");
    Set<String> beforeTheEnd = tracker.endedSoFar();
    tracker.ended("only", TIP, 0);
    tracker.covered("only", TIP);
    tracker.learn(List.of(only), beforeTheEnd);
    assertThat(tracker.awaitingChildren()).containsExactly("only");
    assertThat(tracker.done()).isFalse();
    listed(only);
    assertThat(tracker.awaitingChildren()).isEmpty();
    assertThat(tracker.done()).isTrue();
  }

  /** It was closed, and its children are not shown yet: they may hold records from before T. */
  @Test
  void tipOfAShardThatIsListedNoMoreAwaitsItsChildren() {
    Shard right = open("right", 4, 8);
    listed(open("left", 0, 4), right);
    assigned("left", "right");
    tracker.covered("left", TIP);
    tracker.covered("right", TIP);
    listed(right);
    assertThat(tracker.awaitingChildren()).containsExactly("left");
    assertThat(tracker.done()).isFalse();
    listed(right, open("child", 0, 4, "left"));
    assertThat(tracker.awaitingChildren()).isEmpty();
  }

  @Test
  void tipOfAShardThatIsClosedSinceAwaitsItsChildren() {
    listed(open("only", 0, 8));
    assigned("only");
    tracker.covered("only", TIP);
    listed(closed("only", 0, 8));
    assertThat(tracker.awaitingChildren()).containsExactly("only");
    Shard low = open("low", 0, 4, "only");
    listed(closed("only", 0, 8), low, open("high", 4, 8, "only"));
    assertThat(tracker.awaitingChildren()).isEmpty();
    assertThat(tracker.release()).contains(new Released.ToAny(low)).hasSize(2);
    assertThat(tracker.done()).isFalse();
  }

  @Test
  void boundaryAndUnreadAwaitNoChildren() {
    listed(LEFT, open("child", 0, 4, "left"));
    assigned("left", "child");
    tracker.covered("left", BOUNDARY);
    tracker.covered("child", UNREAD);
    assertThat(tracker.awaitingChildren()).isEmpty();
    assertThat(tracker.done()).isTrue();
  }

  // ---- done

  @Test
  void nothingListedIsNotDone() {
    assertThat(tracker.done()).isFalse();
  }

  @Test
  void orderedIsDoneOnlyWhenEachEndIsCovered() {
    listed(LEFT);
    assigned("left");
    tracker.ended("left", BOUNDARY, 0);
    assertThat(tracker.done()).isFalse();
    tracker.covered("left", BOUNDARY);
    assertThat(tracker.done()).isTrue();
  }

  @Test
  void unorderedIsDoneWhenEachShardHasEnded() {
    LineageTracker unordered = new LineageTracker(ReleasePolicy.UNORDERED);
    unordered.learn(List.of(LEFT), Set.of());
    unordered.assigned("left");
    assertThat(unordered.done()).isFalse();
    unordered.ended("left", BOUNDARY, 0);
    assertThat(unordered.done()).isTrue();
  }

  @Test
  void shardThatWaitsIsNotDone() {
    listed(LEFT, RIGHT);
    assigned("left");
    tracker.covered("left", BOUNDARY);
    assertThat(tracker.done()).isFalse();
  }

  // ---- refusals

  @Test
  void vanishedShardThatWasStillToBeReadIsRefused() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left");
    assertThatThrownBy(() -> listed(LEFT, MERGED))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("right")
        .hasMessageContaining("retention");
  }

  @Test
  void shardThatVanishesWhileItIsReadOrAfterIsItsReadersToJudge() {
    listed(LEFT, RIGHT);
    assigned("left", "right");
    tracker.covered("left", CLOSED);
    listed(MERGED);
    assertThat(tracker.lineage().ids()).containsExactly("left", "right", "merged");
  }

  @Test
  void changedParentsAreRefused() {
    listed(LEFT, RIGHT, MERGED);
    assertThatThrownBy(() -> listed(LEFT, RIGHT, open("merged", 0, 8, "left")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("merged");
  }

  // ---- what went wrong for others

  @Test
  void endReportedBetweenCheckpointsIsNotLostWithTheChildren() {
    listed(LEFT);
    assigned("left");
    tracker.ended("left", CLOSED, 0);
    tracker.subtaskReset(0); // the reader took it up from the checkpoint, and says so again
    tracker.covered("left", CLOSED);
    Shard child = open("child", 0, 4, "left");
    listed(LEFT, child);
    assertThat(tracker.release()).containsExactly(new Released.ToAny(child));
  }

  @Test
  void closedShardIsNotReadAgainAfterARestore() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.ended("left", CLOSED, 0);
    tracker.ended("right", CLOSED, 0);
    LineageTracker restored =
        LineageTracker.restored(ReleasePolicy.ORDERED, tracker.lineage(), tracker.statuses());
    restored.learn(List.of(LEFT, RIGHT, MERGED), restored.endedSoFar());
    assertThat(restored.release()).extracting(r -> r.shard().id()).containsExactly("merged");
  }

  @Test
  void stageGoesWithTheShardAndNotWithItsPlaceInTheListing() {
    listed(LEFT, RIGHT, MERGED);
    assigned("left", "right");
    tracker.covered("left", CLOSED);
    listed(MERGED, RIGHT); // the first has expired, and the order is another
    assertThat(tracker.statuses().get("right")).isEqualTo(new Status.Reading());
    assertThat(tracker.statuses().get("left")).isEqualTo(new Status.Covered(CLOSED));
    assertThat(tracker.release()).isEmpty();
  }

  @Test
  void closedAndEmptyShardIsDoneLikeAnyOther() {
    listed(LEFT, open("child", 0, 4, "left"));
    assigned("left");
    tracker.ended("left", CLOSED, 0);
    tracker.covered("left", CLOSED);
    assigned("child");
    tracker.ended("child", TIP, 0);
    tracker.covered("child", TIP);
    listed(LEFT, open("child", 0, 4, "left"));
    assertThat(tracker.done()).isTrue();
  }
}
