package io.cutover.reconcile.side;

import static io.cutover.reconcile.plan.Plans.PIN;
import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.T;
import static io.cutover.reconcile.plan.Plans.in;
import static io.cutover.reconcile.side.Written.copy;
import static io.cutover.reconcile.side.Written.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.plan.Plans;
import io.cutover.tally.Tallies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class TopicSideTest {

  private static final String OTHER_PIN = "0000000000000000";

  private final Plans plans = new Plans();

  private TopicAccount account(TopicRecord... records) throws Exception {
    return Counted.topic(plans.plan(), List.of(records)).topic();
  }

  private Tallies tallies(TopicRecord... records) throws Exception {
    return account(records).tallies();
  }

  @Test
  void copyComesToTheTalliesOfTheStream() throws Exception {
    var records = List.of(record("1", in(-3)), record("2", in(-3)), record("b", "7", in(-1)));
    Side stream = Counted.stream(plans.plan(), records, List.of());
    assertThat(tallies(copy(records.get(0), 0), copy(records.get(1), 1), copy(records.get(2), 0)))
        .isEqualTo(stream.stream().tallies());
    assertThat(stream.stream().tallies().byShard().keySet()).containsExactly("b", SHARD);
  }

  @Test
  void everyPartOfARecordIsInItsTally() throws Exception {
    TopicRecord whole = copy(record("1", in(-3)), 0);
    Tallies expected = tallies(whole);
    byte[] bit = whole.value().orElseThrow().clone();
    bit[0] ^= 1;
    assertThat(tallies(Written.withValue(Optional.of(bit), whole))).isNotEqualTo(expected);
    assertThat(tallies(Written.withValue(Optional.empty(), whole)))
        .isNotEqualTo(tallies(Written.withValue(Optional.of(new byte[0]), whole)));
    assertThat(tallies(Written.withKey(Optional.empty(), whole)))
        .isNotEqualTo(tallies(Written.withKey(Optional.of(new byte[0]), whole)));
    assertThat(tallies(Written.at(in(-3) + 1, whole))).isNotEqualTo(expected);
    assertThat(tallies(copy(record("2", in(-3)), 0))).isNotEqualTo(expected);
    // Where it stands is not of the record.
    assertThat(tallies(Written.misplaced(copy(record("1", in(-3)), 99)))).isEqualTo(expected);
  }

  @Test
  void oneMissingAndOneDoubledDoNotCancel() throws Exception {
    TopicRecord one = copy(record("1", in(-3)), 0);
    TopicRecord other = copy(record("2", in(-3)), 1);
    assertThat(tallies(one, other)).isNotEqualTo(tallies(other, other));
    assertThat(tallies(other, other)).isNotEqualTo(tallies(one, one));
  }

  @Test
  void copyOutsideOfTheSpanIsCountedAsideAndNotTallied() throws Exception {
    TopicAccount account =
        account(copy(record("1", T.toEpochMilli() - 1), 0), copy(record("2", T.toEpochMilli()), 1));
    assertThat(account.outside()).isEqualTo(1);
    assertThat(account.tallies().byShard().get(SHARD).keySet()).containsExactly(-1L);
  }

  @Test
  void copyFromBeforeASpotChecksSpanIsNeitherTalliedNorHeldAgainstItsOrder() throws Exception {
    plans.from = Optional.of(T.minusSeconds(7200));
    TopicAccount account =
        account(
            copy(record("5", in(-2)), 0),
            Written.misplaced(copy(record("4", in(-9)), 1)),
            copy(record("6", in(-1)), 2));
    assertThat(account.outside()).isEqualTo(1);
    assertThat(account.disorder().count()).isZero();
    assertThat(account.shards()).allMatch(shard -> !shard.afterBoundary());
  }

  @Test
  void recordsOfTheTailAreHeldAgainstEachOtherOnly() throws Exception {
    TopicRecord copied = copy(record("3", in(-1)), 1);
    TopicRecord tail = Written.withKey(copied.key(), copy(record("9", in(0)), 0));
    TopicAccount account = account(tail, copied);
    assertThat(account.disorder().count()).isZero();
    assertThat(account.shards()).hasSize(2);
  }

  @Test
  void recordsOutOfOrderAreCounted() throws Exception {
    TopicRecord second = copy(record("2", in(-2)), 5);
    TopicRecord first = Written.withKey(second.key(), copy(record("1", in(-2)), 6));
    assertThat(account(second, first).disorder().count()).isEqualTo(1);
  }

  @Test
  void recordWithoutOriginInTheSpanIsForeignAndInsideOrOutside() throws Exception {
    TopicRecord live =
        Written.saying(Optional.empty(), Optional.empty(), copy(record("1", in(-2)), 0));
    TopicAccount account = account(live, Written.at(in(0), live), Written.at(in(-1), live));
    assertThat(account.withoutOrigin().count()).isEqualTo(2);
    assertThat(account.otherPins().count()).isZero();
    assertThat(account.foreignInside()).isEqualTo(2);
    assertThat(account.foreignOutside()).isEqualTo(1);
    assertThat(account.foreignWindows()).isEqualTo(new TreeMap<>(Map.of(-2L, 1L, -1L, 1L)));
    assertThat(account.tallies()).isEqualTo(new Tallies());
  }

  @Test
  void recordOfOursThatLostItsOriginIsWithoutOne() throws Exception {
    TopicRecord copy = copy(record("1", in(-2)), 0);
    assertThat(
            account(
                    Written.saying(Optional.of(PIN), Optional.empty(), copy),
                    Written.saying(Optional.of(OTHER_PIN), Optional.empty(), copy),
                    Written.saying(Optional.empty(), copy.origin(), copy))
                .withoutOrigin()
                .count())
        .isEqualTo(3);
  }

  @Test
  void recordOfAnotherPinIsNamedWithIt() throws Exception {
    TopicRecord copy = copy(record("1", in(-2)), 7);
    TopicAccount account = account(Written.saying(Optional.of(OTHER_PIN), copy.origin(), copy));
    assertThat(account.otherPins().count()).isEqualTo(1);
    assertThat(account.otherPins().samples().get(0)).contains("offset 7").contains(OTHER_PIN);
    assertThat(account.withoutOrigin().count()).isZero();
    assertThat(account.tallies()).isEqualTo(new Tallies());
  }

  @Test
  void misplacedAndStampedCopiesAreCountedInsideOfTheSpanAndOutside() throws Exception {
    TopicRecord copy = copy(record("1", in(-2)), 0);
    TopicAccount account =
        account(
            copy,
            Written.misplaced(copy(record("2", in(-2)), 1)),
            Written.misplaced(copy(record("3", in(0)), 2)),
            Written.stamped(in(3), copy(record("4", in(-2)), 3)));
    assertThat(account.misplaced().count()).isEqualTo(2);
    assertThat(account.appendTime().count()).isEqualTo(1);
  }

  @Test
  void copyWithoutKeysIsAtHomeEverywhere() throws Exception {
    TopicRecord keyless = Written.withKey(Optional.empty(), copy(record("1", in(-2)), 0));
    assertThat(account(Written.misplaced(keyless)).misplaced().count()).isZero();
  }

  @Test
  void recordsOfEachPartitionAreCountedWhoeversTheyAre() throws Exception {
    TopicRecord zero =
        new TopicRecord(
            0,
            3,
            in(-1),
            false,
            Optional.of("k".getBytes(UTF_8)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    TopicRecord two =
        new TopicRecord(
            2,
            9,
            in(5),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    TopicAccount account = account(zero, two, two, zero);
    assertThat(account.partitions()).isEqualTo(new TreeMap<>(Map.of(0, 2L, 2, 2L)));
    assertThat(account.records()).isEqualTo(4);
  }

  @Test
  void offsetsPassedAreToldWithTheMarkersBetweenRecords() throws Exception {
    try (var counting = new OneInputStreamOperatorTestHarness<>(new TopicSide(plans.plan()))) {
      counting.open();
      // Two partitions in turn: 10, 13 and 14 of the one, 100 and 105 of the other.
      for (long[] at : new long[][] {{0, 10}, {1, 100}, {0, 13}, {1, 105}, {0, 14}}) {
        counting.processElement(
            new TopicRecord(
                (int) at[0],
                at[1],
                in(-1),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()),
            0);
      }
      var told = counting.getOperator().getRuntimeContext();
      assertThat(told.getAccumulator(TopicCounters.RECORDS).getLocalValue()).isEqualTo(5L);
      assertThat(told.getAccumulator(TopicCounters.OFFSETS).getLocalValue()).isEqualTo(5L + 6L);
    }
  }
}
