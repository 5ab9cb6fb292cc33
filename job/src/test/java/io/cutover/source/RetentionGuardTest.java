package io.cutover.source;

import static io.cutover.source.Given.NOW;
import static io.cutover.source.Given.page;
import static io.cutover.source.Given.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RetentionGuardTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration MARGIN = Duration.ofMinutes(1);
  private static final Position AFTER = new Position.AfterSequence("4711");
  private static final OptionalLong BEHIND = OptionalLong.of(5000);
  private static final OptionalLong TIP = OptionalLong.of(0);

  private static final Instant CREATED = NOW.minus(DAY.multipliedBy(100));

  private Duration onServer = DAY;
  private int asked;
  private Optional<Instant> openSince = Optional.empty();

  private final class Server implements RetentionGuard.Witness {
    @Override
    public Duration retention() {
      asked++;
      return onServer;
    }

    @Override
    public boolean wasOpenAt(String shardId, Instant instant) {
      return openSince.map(since -> !since.isAfter(instant)).orElse(false);
    }
  }

  private RetentionGuard guard() {
    return guard(ShardSplit.toRead(Given.shard("shard-1")));
  }

  private RetentionGuard guard(ShardSplit split) {
    return new RetentionGuard(
        split, new StreamLife(CREATED, DAY), ReadStart.TRIM_HORIZON, MARGIN, new Server());
  }

  private static Page empty(Instant served, OptionalLong behind) {
    return page(served, behind);
  }

  @Test
  void positionYoungerThanTheRetentionLessTheMarginHolds() {
    RetentionGuard guard = guard();
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    Instant last = NOW.plus(DAY).minus(MARGIN).minusMillis(1);
    assertThatCode(() -> guard.check(empty(last, BEHIND), AFTER)).doesNotThrowAnyException();
    assertThat(asked).isZero();
  }

  @Test
  void positionAsOldAsTheRetentionLessTheMarginIsRefused() {
    RetentionGuard guard = guard();
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    Instant first = NOW.plus(DAY).minus(MARGIN);
    assertThatThrownBy(() -> guard.check(empty(first, BEHIND), AFTER))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("shard-1")
        .hasMessageContaining("4711")
        .hasMessageContaining(NOW.toString())
        .hasMessageContaining(first.toString())
        .hasMessageContaining("PT24H")
        .hasMessageContaining("nothing was served behind it");
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void refusalNamesTheNextRecordServed() {
    RetentionGuard guard = guard();
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    Instant later = NOW.plus(DAY.multipliedBy(2));
    Page jumped = page(later, BEHIND, record("99", later.minusSeconds(7)));
    assertThatThrownBy(() -> guard.check(jumped, AFTER))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("99")
        .hasMessageContaining(later.minusSeconds(7).toString());
  }

  @Test
  void raisedRetentionIsAskedForBeforeItIsReliedOnToRefuse() {
    onServer = DAY.multipliedBy(3);
    RetentionGuard guard = guard();
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    Instant later = NOW.plus(DAY.multipliedBy(2));
    guard.check(empty(later, BEHIND), AFTER);
    guard.check(empty(later, BEHIND), AFTER);
    assertThat(asked).isEqualTo(1);
    assertThatThrownBy(() -> guard.check(empty(NOW.plus(DAY.multipliedBy(3)), BEHIND), AFTER))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void tipKeepsTheReadingFreshWithoutRecords() {
    RetentionGuard guard = guard();
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    Instant later = NOW.plus(DAY.dividedBy(2));
    guard.read(empty(later, TIP));
    guard.check(empty(later.plus(DAY).minus(MARGIN).minusMillis(1), BEHIND), AFTER);
    assertThat(asked).isZero();
  }

  @Test
  void emptyPageBehindTheTipKeepsNothingFresh() {
    RetentionGuard guard = guard();
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    guard.read(empty(NOW.plus(DAY.dividedBy(2)), BEHIND));
    guard.read(empty(NOW.plus(DAY.dividedBy(2)), OptionalLong.empty()));
    assertThatThrownBy(() -> guard.check(empty(NOW.plus(DAY), BEHIND), AFTER))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void latestArrivalCountsWhateverComesBehindIt() {
    RetentionGuard guard = guard();
    Instant late = NOW.plusSeconds(600);
    guard.read(page(NOW, BEHIND, record("1", late), record("2", NOW)));
    guard.check(empty(NOW.plus(DAY), BEHIND), AFTER);
    assertThat(asked).isZero();
  }

  @Test
  void restoredReadingIsAsOldAsItsLedgerSays() {
    ShardLedger ledger =
        new ShardLedger(
            Given.shard("shard-1"),
            Optional.of(new Mark("1", NOW.toEpochMilli())),
            Optional.of(new Mark("1", NOW.toEpochMilli())),
            Optional.empty(),
            1,
            1,
            0,
            0,
            0,
            0,
            OptionalLong.of(NOW.toEpochMilli()),
            Optional.empty(),
            ReadCost.NONE);
    assertThatThrownBy(
            () ->
                guard(new ShardSplit(ledger, ShardSplit.Stage.READ))
                    .check(empty(NOW.plus(DAY), TIP), AFTER))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void unreadShardStandsAtTheHorizonAndIsNotOvertaken() {
    guard().check(empty(NOW, OptionalLong.of(DAY.toMillis())), new Position.TrimHorizon());
    assertThat(asked).isZero();
  }

  /** What is read near the horizon is as old as it is, wherever the reading began. */
  @Test
  void readingThatBeganAtAnInstantIsOvertakenAsAnyOther() {
    RetentionGuard guard = guard();
    Instant instant = NOW.minus(DAY).plus(MARGIN.multipliedBy(2));
    Position start = ReadStart.at(instant).position();
    Page first = page(NOW, BEHIND, record("1", instant));
    guard.check(first, start);
    guard.read(first);
    guard.check(empty(NOW.plus(MARGIN).minusMillis(1), BEHIND), AFTER);
    assertThatThrownBy(() -> guard.check(empty(NOW.plus(MARGIN), BEHIND), AFTER))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(instant.toString());
  }

  @Test
  void readingFromAnInstantThatIsTooOldForTheMarginIsRefusedBehindItsFirstPage() {
    RetentionGuard guard = guard();
    Instant instant = NOW.minus(DAY).plus(MARGIN);
    Page first = page(NOW, BEHIND, record("1", instant));
    guard.check(first, ReadStart.at(instant).position());
    guard.read(first);
    assertThatThrownBy(() -> guard.check(empty(NOW, BEHIND), AFTER)).isInstanceOf(Refusal.class);
  }

  private RetentionGuard childGuard() {
    return guard(ShardSplit.toReadFromBirth(Given.shard("child", "parent")));
  }

  @Test
  void childThatIsYoungerThanTheHorizonHasItsBeginning() {
    openSince = Optional.of(NOW.minus(DAY).plus(MARGIN).plusMillis(1));
    childGuard().check(page(NOW, BEHIND, record("1", NOW)), new Position.TrimHorizon());
    assertThat(asked).isZero();
  }

  @Test
  void childThatIsOlderThanTheHorizonIsRefused() {
    openSince = Optional.of(NOW.minus(DAY).plus(MARGIN));
    for (Page page : List.of(page(NOW, BEHIND, record("1", NOW)), empty(NOW, TIP))) {
      assertThatThrownBy(() -> childGuard().check(page, new Position.TrimHorizon()))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("child")
          .hasMessageContaining("before it began");
    }
    onServer = DAY.multipliedBy(2);
    childGuard().check(page(NOW, BEHIND, record("1", NOW)), new Position.TrimHorizon());
  }

  @Test
  void shardWithoutListedParentsMayHaveLostItsBeginning() {
    openSince = Optional.of(NOW.minus(DAY));
    guard().check(page(NOW, BEHIND, record("1", NOW)), new Position.TrimHorizon());
    assertThat(asked).isZero();
  }

  @Test
  void emptyPageBehindTheTipTellsNothingOfAChildsBeginning() {
    openSince = Optional.of(NOW.minus(DAY));
    childGuard().check(empty(NOW, BEHIND), new Position.TrimHorizon());
    assertThat(asked).isZero();
  }

  @Test
  void streamYoungerThanItsRetentionHasLostNothing() {
    openSince = Optional.of(NOW.minus(DAY));
    new RetentionGuard(
            ShardSplit.toReadFromBirth(Given.shard("child", "parent")),
            new StreamLife(NOW.minus(DAY.dividedBy(2)), DAY),
            ReadStart.TRIM_HORIZON,
            MARGIN,
            new Server())
        .check(page(NOW, BEHIND, record("1", NOW)), new Position.TrimHorizon());
    assertThat(asked).isZero();
  }

  @Test
  void refusedPositionNamesWhatIsLost() {
    RuntimeException cause = new RuntimeException("invalid position");
    RetentionGuard guard = guard();
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    assertThat(guard.refused(AFTER, cause))
        .hasMessageContaining("shard-1")
        .hasMessageContaining("4711")
        .hasMessageContaining("invalid position")
        .hasMessageContaining(NOW.toString())
        .hasCause(cause);
  }

  @Test
  void horizonIsAskedForAnewWhenAnUnreadShardStaysEmptyNearTheRetention() {
    RetentionGuard guard = guard();
    OptionalLong old = OptionalLong.of(DAY.minus(MARGIN).toMillis());
    assertThat(guard.keepsIterator(empty(NOW, old))).isTrue();
    assertThat(guard.keepsIterator(empty(NOW.plusSeconds(59), old))).isTrue();
    assertThat(guard.keepsIterator(empty(NOW.plusSeconds(60), old))).isFalse();
    assertThat(guard.keepsIterator(empty(NOW.plusSeconds(61), old))).isTrue();
    assertThat(guard.keepsIterator(empty(NOW.plusSeconds(121), old))).isFalse();
  }

  @Test
  void patienceAtTheHorizonBeginsAnewWhenTheShardMoves() {
    RetentionGuard guard = guard();
    OptionalLong old = OptionalLong.of(DAY.toMillis());
    guard.keepsIterator(empty(NOW, old));
    guard.keepsIterator(empty(NOW.plusSeconds(30), BEHIND));
    assertThat(guard.keepsIterator(empty(NOW.plusSeconds(70), old))).isTrue();
  }

  @Test
  void shardOfWhichSomethingWasReadKeepsItsIterator() {
    RetentionGuard guard = guard();
    OptionalLong old = OptionalLong.of(DAY.toMillis());
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    guard.keepsIterator(empty(NOW, old));
    assertThat(guard.keepsIterator(empty(NOW.plusSeconds(600), old))).isTrue();
  }

  @Test
  void vanishedShardNamesWhatIsLost() {
    RetentionGuard guard = guard();
    RuntimeException cause = new RuntimeException("not found");
    assertThat(guard.vanished(new Position.TrimHorizon(), cause))
        .hasMessageContaining("shard-1")
        .hasMessageContaining("TrimHorizon")
        .hasCause(cause);
    guard.read(page(NOW, BEHIND, record("1", NOW)));
    assertThat(guard.vanished(AFTER, cause))
        .hasMessageContaining("4711")
        .hasMessageContaining(NOW.toString());
  }
}
