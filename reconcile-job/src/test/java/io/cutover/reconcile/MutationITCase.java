package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.rig.Producer.Written;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A right copy with its topic damaged in one way at a time: the verdict, its exit code, the records
 * that it names and the counts of every window are those of an oracle that shares no code with it.
 */
class MutationITCase {

  @TempDir private static Path dir;

  private static EmbeddedKafka kafka;
  private static TruthRig rig;
  private static TruthStream.Shards shards;

  @BeforeAll
  static void copy() {
    kafka = TruthRig.broker();
    rig = new TruthRig(kafka, dir, TruthStream.SHARDS, 3);
    shards = TruthStream.write(rig);
    rig.copy();
  }

  @AfterAll
  static void stop() {
    rig.close();
    kafka.close();
  }

  @AfterEach
  void heal() {
    rig.heal();
  }

  /** In the middle of a shard. */
  private static String some(String shard) {
    return rig.copiedOf(shard).get(12).origin();
  }

  private static VerdictCheck mismatch(Consumer<TopicDraft> damage, FindingCode... because) {
    rig.surgeon().operate(damage);
    Truth truth = rig.truth();
    assertThat(truth.cleared()).isFalse();
    return VerdictCheck.of(rig).tells(truth).is(Verdict.MISMATCH).because(because);
  }

  private static VerdictCheck cleared() {
    Truth truth = rig.truth();
    assertThat(truth.cleared()).isTrue();
    return VerdictCheck.of(rig).tells(truth).is(Verdict.CLEARED);
  }

  @Test
  void undamagedCopyIsCleared() {
    cleared();
  }

  // ---- records

  @Test
  void recordThatIsDropped() {
    mismatch(draft -> draft.drop(some(shards.child())), FindingCode.RECORDS_MISSING);
  }

  @Test
  void recordThatIsDoubled() {
    mismatch(draft -> draft.twice(some(shards.child())), FindingCode.RECORDS_DOUBLED);
  }

  @Test
  void recordThatIsDoubledAtTheEndIsOutOfOrderToo() {
    mismatch(
        draft -> draft.again(some(shards.split())),
        FindingCode.RECORDS_DOUBLED,
        FindingCode.ORDER_VIOLATED);
  }

  @Test
  void oneDroppedAndOneDoubledInTheSameWindowDoNotCancel() {
    List<Written> records = rig.copiedOf(shards.child());
    mismatch(
        draft -> {
          draft.drop(records.get(10).origin());
          draft.twice(records.get(11).origin());
        },
        FindingCode.RECORDS_MISSING,
        FindingCode.RECORDS_DOUBLED);
  }

  @Test
  void moreInOneWindowAndLessInAnotherDoNotCancel() {
    List<Written> records = rig.copiedOf(shards.child());
    mismatch(
        draft -> {
          draft.drop(records.get(2).origin());
          draft.twice(records.get(30).origin());
        },
        FindingCode.RECORDS_MISSING,
        FindingCode.RECORDS_DOUBLED);
  }

  @Test
  void valueThatIsAlteredByOneBit() {
    mismatch(
        draft -> draft.alter(some(shards.low()), TopicDraft.bitFlipped()),
        FindingCode.RECORDS_ALTERED);
  }

  /** To another key of the same partition, so that nothing else changes. */
  @Test
  void keyThatIsAltered() {
    String record = some(shards.low());
    int partition = rig.partitionOf(record);
    byte[] other =
        rig.copiedOf(shards.low()).stream()
            .filter(one -> rig.partitionOf(one.origin()) == partition)
            .flatMap(one -> one.key().stream())
            .filter(key -> !Optional.of(key).equals(rig.copiedOf(shards.low()).get(12).key()))
            .findFirst()
            .orElseThrow()
            .getBytes(UTF_8);
    mismatch(
        draft -> draft.alter(record, TopicDraft.withKey(Optional.of(other))),
        FindingCode.RECORDS_ALTERED);
  }

  @Test
  void noKeyInThePlaceOfAnEmptyOne() {
    Written empty = rig.membersOf(shards.low()).get(0);
    assertThat(empty.key()).contains("");
    mismatch(
        draft -> draft.alter(empty.origin(), TopicDraft.withKey(Optional.empty())),
        FindingCode.RECORDS_ALTERED);
  }

  @Test
  void timestampThatIsShiftedByAMillisecond() {
    Written record = rig.copiedOf(shards.child()).get(12);
    mismatch(
        draft ->
            draft.alter(
                record.origin(), TopicDraft.withTimestamp(record.arrival().toEpochMilli() + 1)),
        FindingCode.RECORDS_ALTERED);
  }

  @Test
  void timestampThatIsShiftedAcrossTheEdgeOfAWindow() {
    Written last =
        rig.copiedOf(shards.child()).stream()
            .filter(one -> new String(one.data(), UTF_8).equals("the last of its window"))
            .findFirst()
            .orElseThrow();
    mismatch(
        draft ->
            draft.alter(last.origin(), TopicDraft.withTimestamp(last.arrival().toEpochMilli() + 1)),
        FindingCode.RECORDS_ALTERED);
  }

  @Test
  void timestampThatIsNow() {
    mismatch(
        draft ->
            draft.alter(some(shards.child()), TopicDraft.withTimestamp(System.currentTimeMillis())),
        FindingCode.RECORDS_ALTERED);
  }

  /** Every window of the span agrees. */
  @Test
  void secondCopyThatIsStampedNow() {
    String record = some(shards.split());
    mismatch(
        draft ->
            draft.append(
                TopicDraft.withTimestamp(System.currentTimeMillis()).apply(rig.copyOf(record))),
        FindingCode.RECORDS_ALTERED);
  }

  @Test
  void recordThatIsMovedToAnotherPartition() {
    String moved = some(shards.high());
    int elsewhere = (rig.partitionOf(moved) + 1) % rig.partitions();
    mismatch(
        draft -> {
          draft.drop(moved);
          draft.in(elsewhere).add(0, TopicDraft.inPartition(rig.copyOf(moved), elsewhere));
        },
        FindingCode.RECORDS_MISPLACED,
        FindingCode.ORDER_VIOLATED);
  }

  // ---- order

  @Test
  void twoRecordsOfAShardThatAreSwapped() {
    List<String> lane = rig.lane(shards.child(), rig.partitionOf(some(shards.child())));
    VerdictCheck check =
        mismatch(draft -> draft.swap(lane.get(0), lane.get(1)), FindingCode.ORDER_VIOLATED);
    assertThat(check.report().reasons().get(0).samples().toString())
        .contains(lane.get(0).split("/")[1], "offset");
  }

  @Test
  void childInFrontOfItsParent() {
    int partition = rig.partitionOf(some(shards.low()));
    VerdictCheck check =
        mismatch(
            draft -> draft.toFront(rig.lane(shards.low(), partition).get(0)),
            FindingCode.ORDER_VIOLATED);
    assertThat(check.report().reasons().get(0).samples().toString())
        .contains(shards.low(), shards.split(), "partition " + partition);
  }

  // ---- shards and aggregates

  @Test
  void wholeClosedParentThatIsMissing() {
    mismatch(draft -> draft.dropShard(shards.split()), FindingCode.RECORDS_MISSING);
  }

  @Test
  void firstMemberOfAnAggregateThatIsMissing() {
    mismatch(
        draft -> draft.drop(rig.membersOf(shards.low()).get(0).origin()),
        FindingCode.RECORDS_MISSING);
  }

  @Test
  void lastMemberOfAnAggregateThatIsMissing() {
    List<Written> members = rig.membersOf(shards.low());
    mismatch(
        draft -> draft.drop(members.get(members.size() - 1).origin()), FindingCode.RECORDS_MISSING);
  }

  // ---- headers

  @Test
  void headerThatIsLost() {
    for (String header : List.of("cutover.pin", "kinesis.shard", "kinesis.sequence")) {
      mismatch(
          draft -> draft.alter(some(shards.child()), TopicDraft.withoutHeader(header)),
          FindingCode.RECORDS_MISSING,
          FindingCode.RECORDS_WITHOUT_ORIGIN);
      rig.heal();
    }
  }

  @Test
  void memberThatHasLostItsNumber() {
    mismatch(
        draft ->
            draft.alter(
                rig.membersOf(shards.low()).get(0).origin(),
                TopicDraft.withoutHeader("kinesis.subsequence")),
        FindingCode.RECORDS_MISSING,
        FindingCode.RECORDS_EXTRA);
  }

  @Test
  void headerOfAnotherStream() {
    mismatch(
        draft ->
            draft.alter(
                some(shards.child()),
                TopicDraft.withHeader("kinesis.shard", "shardId-000000004711")),
        FindingCode.RECORDS_MISSING,
        FindingCode.RECORDS_EXTRA);
  }

  @Test
  void headerOfAnotherPin() {
    mismatch(
        draft ->
            draft.alter(
                some(shards.child()), TopicDraft.withHeader("cutover.pin", "fedcba9876543210")),
        FindingCode.RECORDS_MISSING,
        FindingCode.RECORDS_OF_ANOTHER_PIN);
  }

  // ---- what others write

  @Test
  void recordOfADualWriterInsideTheWindow() {
    mismatch(
        draft -> draft.append(draft.foreign(0, rig.t().toEpochMilli() - 1, "before T")),
        FindingCode.RECORDS_WITHOUT_ORIGIN);
  }

  @Test
  void recordOfADualWriterFromTOnIsNoDifference() {
    rig.surgeon()
        .operate(draft -> draft.append(draft.foreign(0, rig.t().toEpochMilli(), "from T on")));
    cleared().finds(FindingCode.LIVE_RECORDS, 1);
  }

  @Test
  void abortedRecordsDoNotCount() {
    rig.surgeon()
        .leaveAborted(
            List.of(
                new TopicDraft(rig.topic(), rig.surgeon().contents()).record(some(shards.low()))));
    cleared();
  }

  /** The oracle's list of what differs is made of many kinds at once. */
  @Test
  void manyDifferencesAtOnce() {
    List<Written> records = rig.copiedOf(shards.low());
    mismatch(
        draft -> {
          draft.dropShard(shards.merged().get(0));
          draft.alter(records.get(3).origin(), TopicDraft.bitFlipped());
          draft.twice(records.get(5).origin());
          draft.alter(some(shards.high()), TopicDraft.withoutHeader("kinesis.sequence"));
          draft.append(draft.foreign(1, rig.t().toEpochMilli() - 5, "before T"));
        },
        FindingCode.RECORDS_MISSING,
        FindingCode.RECORDS_DOUBLED,
        FindingCode.RECORDS_ALTERED,
        FindingCode.RECORDS_WITHOUT_ORIGIN);
  }
}
