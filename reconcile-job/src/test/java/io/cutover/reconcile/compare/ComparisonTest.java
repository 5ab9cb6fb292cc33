package io.cutover.reconcile.compare;

import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.T;
import static io.cutover.reconcile.plan.Plans.in;
import static io.cutover.reconcile.side.Written.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.config.ReconcileOptions;
import io.cutover.kpl.UserRecord;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.side.Counted;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.side.Written;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private final Plans plans = new Plans();
  private final List<UserRecord> stream = new ArrayList<>();
  private final List<TopicRecord> topic = new ArrayList<>();
  private final List<ShardLedger> ledgers = new ArrayList<>(List.of(Reread.from(SHARD, "1")));

  private Comparison compared(Optional<Tallies> witness) throws Exception {
    Side sides =
        Counted.stream(plans.plan(), stream, ledgers).plus(Counted.topic(plans.plan(), topic));
    return Comparison.of(plans.plan(), sides, witness);
  }

  private Comparison compared() throws Exception {
    return compared(Optional.empty());
  }

  private Tallies tallied(List<UserRecord> records) throws Exception {
    return Counted.stream(plans.plan(), records, List.of()).stream().tallies();
  }

  private void both(UserRecord record) {
    stream.add(record);
    topic.add(Written.copy(record, topic.size()));
  }

  @Test
  void sidesThatAreTheSameDoNotDiffer() throws Exception {
    both(record("1", in(-3)));
    both(record("2", in(-3)));
    both(record("3", in(-1)));
    Comparison compared = compared();
    assertThat(compared.buckets()).hasSize(2);
    assertThat(compared.differing()).isEmpty();
    assertThat(compared.witnessDiffers()).isEmpty();
  }

  @Test
  void bucketsOfEitherSideAloneDiffer() throws Exception {
    stream.add(record("1", in(-3)));
    topic.add(Written.copy(record("9", in(-1)), 0));
    assertThat(compared().differing())
        .extracting(Bucket::key)
        .containsExactly(new BucketKey(SHARD, -3), new BucketKey(SHARD, -1));
    assertThat(compared().differing().get(0).kafka()).isEmpty();
    assertThat(compared().differing().get(1).kinesis()).isEmpty();
  }

  @Test
  void sameCountsWithAnotherRecordDiffer() throws Exception {
    both(record("1", in(-3)));
    stream.add(record("2", in(-3)));
    topic.add(topic.get(0)); // one missing, one doubled
    Bucket differing = compared().differing().get(0);
    assertThat(Bucket.count(differing.kinesis()).records()).isEqualTo(2);
    assertThat(Bucket.count(differing.kafka()).records()).isEqualTo(2);
  }

  @Test
  void bucketsAreOrderedByShardAndTime() throws Exception {
    both(record("b", "1", in(-1)));
    both(record("b", "2", in(-7)));
    both(record("a", "3", in(-3)));
    assertThat(compared().buckets())
        .extracting(Bucket::key)
        .containsExactly(new BucketKey("a", -3), new BucketKey("b", -7), new BucketKey("b", -1));
  }

  @Test
  void witnessedBucketIsHeldAgainstTheTopic() throws Exception {
    UserRecord expired = record("1", in(-3));
    topic.add(Written.copy(expired, 0));
    ledgers.set(0, Reread.from(SHARD, "2"));
    Comparison compared = compared(Optional.of(tallied(List.of(expired))));
    assertThat(compared.buckets()).extracting(Bucket::evidence).containsExactly(Evidence.WITNESS);
    assertThat(compared.differing()).isEmpty();
  }

  @Test
  void witnessedBucketThatIsOnNeitherSideAnyMoreDiffers() throws Exception {
    ledgers.set(0, Reread.empty(SHARD));
    Comparison compared = compared(Optional.of(tallied(List.of(record("1", in(-3))))));
    assertThat(compared.differing()).extracting(Bucket::evidence).containsExactly(Evidence.WITNESS);
  }

  @Test
  void witnessOutsideOfTheSpanIsNoBucket() throws Exception {
    plans.from = Optional.of(T.minusSeconds(7200));
    assertThat(compared(Optional.of(tallied(List.of(record("1", in(-9)))))).buckets()).isEmpty();
  }

  @Test
  void whatWasReadAgainGoesAndAnotherWitnessIsSaid() throws Exception {
    both(record("1", in(-3)));
    both(record("2", in(-2)));
    Tallies witness = tallied(List.of(stream.get(0)));
    Comparison compared = compared(Optional.of(witness));
    assertThat(compared.differing()).isEmpty();
    assertThat(compared.witnessDiffers()).containsExactly(new BucketKey(SHARD, -2));
  }

  @Test
  void recordThatCameInBehindTheBackfillDoesNotContradictTheWitness() throws Exception {
    both(record("1", in(-3)));
    Tallies witness = tallied(List.copyOf(stream));
    both(record("2", in(-3)));
    Comparison compared = compared(Optional.of(witness));
    assertThat(compared.witnessDiffers()).containsExactly(new BucketKey(SHARD, -3));
    assertThat(compared.witnessContradicts()).isEmpty();
  }

  /** Stream and topic agree, but the backfill had read a record more. */
  @Test
  void recordThatTheBackfillReadAndNobodyShowsContradictsTheWitness() throws Exception {
    both(record("1", in(-3)));
    both(record("3", in(-3)));
    Tallies witness = tallied(List.of(stream.get(0), record("2", in(-3)), stream.get(1)));
    Comparison compared = compared(Optional.of(witness));
    assertThat(compared.differing()).isEmpty();
    assertThat(compared.witnessContradicts()).containsExactly(new BucketKey(SHARD, -3));
  }

  @Test
  void bucketThatIsNotComparedNeverDiffers() throws Exception {
    topic.add(Written.copy(record("1", in(-3)), 0));
    plans.evidence(ReconcileOptions.Evidence.REREAD);
    plans.reported = List.of(Plans.copied(SHARD, new Mark("1", in(-3)), new Mark("1", in(-3))));
    ledgers.clear();
    Comparison compared = compared();
    assertThat(compared.differing()).isEmpty();
    assertThat(compared.buckets())
        .extracting(Bucket::evidence)
        .containsExactly(Evidence.NOT_COMPARED);
  }

  /** Retention may eat the same windows on both sides, so that neither has a record to show. */
  @Test
  void bucketThatTheBackfillReadIsNotComparedWhereNeitherSideHasItAnyMore() throws Exception {
    plans.reported = List.of(Plans.copied(SHARD, new Mark("1", in(-9)), new Mark("5", in(-3))));
    plans.horizon = T.minusSeconds(4 * 3600);
    both(record("5", in(-3)));
    ledgers.set(0, Reread.from(SHARD, "5"));
    assertThat(compared().buckets())
        .contains(
            new Bucket(
                new BucketKey(SHARD, -9),
                Evidence.NOT_COMPARED,
                Optional.empty(),
                Optional.empty()));
    ledgers.clear(); // all of the shard
    stream.clear();
    topic.clear();
    assertThat(compared().buckets()).extracting(Bucket::evidence).contains(Evidence.NOT_COMPARED);
  }

  @Test
  void bucketThatTheBackfillReadIsOutsideOfASpotCheckBehindIt() throws Exception {
    plans.reported = List.of(Plans.copied(SHARD, new Mark("1", in(-9)), new Mark("5", in(-3))));
    plans.from = Optional.of(T.minusSeconds(7200));
    ledgers.clear();
    assertThat(compared().buckets()).isEmpty();
  }

  @Test
  void shardOfWhichTheBackfillCopiedNothingLeavesNothingUncompared() throws Exception {
    plans.reported = List.of(Plans.copied(SHARD));
    ledgers.clear();
    assertThat(compared().buckets()).isEmpty();
  }
}
