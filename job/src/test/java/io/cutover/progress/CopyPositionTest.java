package io.cutover.progress;

import static io.cutover.progress.Histories.FIRST;
import static io.cutover.progress.Histories.T;
import static io.cutover.progress.Histories.pin;
import static io.cutover.progress.Histories.shard;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.progress.ShardReached.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CopyPositionTest {

  /** A quarter and the rest; the quarter was split. */
  private static final List<Shard> SPLIT =
      List.of(
          shard("quarter", 0, 16),
          shard("rest", 16, 64),
          shard("left", 0, 8, "quarter"),
          shard("right", 8, 16, "quarter"));

  private final CopyPosition position = new CopyPosition(pin(SPLIT));

  private static ShardReached at(int hours, Stage stage) {
    return new ShardReached(FIRST.plus(Duration.ofHours(hours)).toEpochMilli(), stage);
  }

  private void heard(String shard, int hours, Stage stage) {
    position.heard(Map.of(shard, at(hours, stage)));
  }

  private void assertShare(double share) {
    assertThat(position.share()).isCloseTo(share, within(1e-6));
  }

  @Test
  void nothingIsPassedBeforeAnythingIsRead() {
    assertShare(0);
    assertThat(position.frontier()).contains(FIRST);
    assertThat(position.shardsDone()).isZero();
    assertThat(position.shards()).isEqualTo(4);
  }

  @Test
  void shardCountsByTheHashKeysThatItOwns() {
    heard("rest", 50, Stage.READ);
    assertShare(0.75 * 0.5);
    heard("quarter", 40, Stage.READ);
    assertShare(0.75 * 0.5 + 0.25 * 0.4);
  }

  @Test
  void childrenGoOnWhereTheirParentStopped() {
    heard("quarter", 40, Stage.CLOSED);
    assertShare(0.25 * 0.4);
    heard("left", 60, Stage.READ);
    assertShare(0.125 * 0.6 + 0.125 * 0.4);
    assertThat(position.shardsDone()).isEqualTo(1);
  }

  @Test
  void childThatIsReadImpliesItsParents() {
    heard("left", 60, Stage.READ);
    assertShare(0.125 * 0.6);
  }

  @Test
  void shardThatIsDoneIsAtT() {
    heard("rest", 0, Stage.DONE);
    assertShare(0.75);
  }

  @Test
  void shardSplitAfterThePinIsDoneWhenItIsClosed() {
    heard("rest", 99, Stage.CLOSED);
    assertShare(0.75);
  }

  @Test
  void recordAtTheVeryEndDoesNotSayThatTheShardIsDone() {
    position.heard(Map.of("rest", new ShardReached(T.toEpochMilli(), Stage.READ)));
    assertThat(position.share()).isLessThan(0.75);
    assertThat(position.frontier()).contains(FIRST);
  }

  @Test
  void allIsPassedWhenEveryShardIsDone() {
    heard("quarter", 40, Stage.CLOSED);
    heard("left", 0, Stage.DONE);
    heard("right", 0, Stage.DONE);
    heard("rest", 99, Stage.CLOSED);
    heard("born later", 0, Stage.DONE);
    assertThat(position.share()).isEqualTo(1);
    assertThat(position.frontier()).isEmpty();
    assertThat(position.shardsDone()).isEqualTo(5);
    assertThat(position.shards()).isEqualTo(5);
  }

  @Test
  void whatWasOnceReachedStaysReached() {
    heard("rest", 50, Stage.READ);
    heard("rest", 20, Stage.READ);
    position.heard(Map.of());
    assertShare(0.75 * 0.5);
    heard("rest", 50, Stage.DONE);
    heard("rest", 20, Stage.READ);
    assertShare(0.75);
  }

  @Test
  void frontierIsTheEarliestPlaceThatIsNotDone() {
    heard("rest", 50, Stage.READ);
    heard("quarter", 40, Stage.CLOSED);
    heard("right", 70, Stage.READ);
    assertThat(position.frontier()).contains(FIRST.plus(Duration.ofHours(40)));
    heard("left", 0, Stage.DONE);
    assertThat(position.frontier()).contains(FIRST.plus(Duration.ofHours(50)));
  }

  @Test
  void shardThatIsNotReadYetStandsAtItsOwnOldestRecord() {
    Instant later = FIRST.plus(Duration.ofHours(30));
    CopyPosition sparse =
        new CopyPosition(
            pin(
                SPLIT,
                List.of(
                    new Pin.OldestArrival("quarter", Optional.of(FIRST)),
                    new Pin.OldestArrival("rest", Optional.of(later)))));
    sparse.heard(Map.of("quarter", at(60, Stage.READ)));
    assertThat(sparse.frontier()).contains(later);
    assertThat(sparse.share()).isCloseTo(0.25 * 0.6, within(1e-6));
  }

  @Test
  void emptyStreamBeginsAtTheBackfillStart() {
    Pin empty = pin(SPLIT, List.of(new Pin.OldestArrival("rest", Optional.empty())));
    assertThat(new CopyPosition(empty).frontier()).contains(empty.start());
  }
}
