package io.cutover.reconcile.compare;

import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.START;
import static io.cutover.reconcile.plan.Plans.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.side.StreamAccount;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The shard's bucket that is asked for is that of window -5; the backfill read it from 100 on. */
class EvidenceRuleTest {

  private static final BucketKey BUCKET = new BucketKey(SHARD, -5);

  private final Plans plans = new Plans();
  private final List<ShardLedger> ledgers = new ArrayList<>();
  private final Tallies reread = new Tallies();
  private Optional<Tallies> witness = Optional.empty();

  EvidenceRuleTest() {
    plans.reported =
        new ArrayList<>(
            List.of(
                Plans.copied(
                    SHARD, new Mark("100", Plans.in(-20)), new Mark("900", Plans.in(-1)))));
  }

  private void witness(String lowest, String highest) {
    Tallies tallies = new Tallies();
    tallies.add(SHARD, BUCKET.window(), new Tally(2, 20, 1, 1, lowest, highest));
    witness = Optional.of(tallies);
  }

  private Evidence evidence() {
    return evidence(BUCKET);
  }

  private Evidence evidence(BucketKey bucket) {
    return new EvidenceRule(plans.plan(), witness, new StreamAccount(reread, ledgers)).of(bucket);
  }

  @Nested
  class ByTheWitness {

    @Test
    void readingFromTheBucketsLowestSequenceIsWhole() {
      witness("500", "600");
      ledgers.add(Reread.from(SHARD, "500"));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
    }

    @Test
    void readingThatBeganOneSequenceNumberLaterIsNot() {
      witness("500", "600");
      ledgers.add(Reread.from(SHARD, "501"));
      assertThat(evidence()).isEqualTo(Evidence.WITNESS);
    }

    @Test
    void sequenceNumbersCompareAsNumbers() {
      witness("1000", "1100");
      ledgers.add(Reread.from(SHARD, "999"));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
    }

    @Test
    void readingNeedNotReachTheBackfillsBeginningForALaterBucket() {
      witness("500", "600");
      ledgers.add(Reread.from(SHARD, "400"));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
    }

    @Test
    void shardThatHasNothingLeftIsNotWhole() {
      witness("500", "600");
      ledgers.add(Reread.empty(SHARD));
      assertThat(evidence()).isEqualTo(Evidence.WITNESS);
    }

    @Test
    void shardThatExpiredIsWitnessed() {
      witness("500", "600");
      assertThat(evidence()).isEqualTo(Evidence.WITNESS);
    }

    @Test
    void bucketThatTheWitnessDoesNotHaveIsWhatTheStreamShows() {
      witness = Optional.of(new Tallies());
      ledgers.add(Reread.from(SHARD, "899"));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
    }

    @Test
    void shardThatNeitherBackfillNorStreamHasHasNoRecordForSure() {
      witness = Optional.of(new Tallies());
      assertThat(evidence(new BucketKey("made-up", -5))).isEqualTo(Evidence.REREAD);
    }

    /** A record that came behind the backfill is not in the witness, but was read again. */
    @Test
    void witnessDoesNotSpeakForRecordsThatWereReadAgainBehindIt() {
      witness("500", "600");
      ledgers.add(Reread.from(SHARD, "550"));
      reread.add(SHARD, BUCKET.window(), new Tally(1, 10, 1, 1, "550", "600"));
      assertThat(evidence()).isEqualTo(Evidence.WITNESS);
      reread.add(SHARD, BUCKET.window(), new Tally(1, 10, 1, 1, "601", "601"));
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
    }
  }

  @Nested
  class WithoutAWitness {

    @Test
    void readingFromTheBackfillsFirstRecordIsWhole() {
      ledgers.add(Reread.from(SHARD, "100"));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
    }

    @Test
    void readingThatBeganOneSequenceNumberLaterIsNotCompared() {
      plans.horizon = T.minus(Duration.ofHours(5)); // the window's start
      ledgers.add(Reread.from(SHARD, "101"));
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
    }

    @Test
    void windowThatBeginsBehindTheHorizonByTheSlackIsWhole() {
      plans.config.set(ReconcileOptions.SLACK, Duration.ofMinutes(10));
      ledgers.add(Reread.from(SHARD, "400"));
      plans.horizon = T.minus(Duration.ofHours(5)).minus(Duration.ofMinutes(10));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
      plans.horizon = plans.horizon.plusMillis(1);
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
    }

    @Test
    void windowThatBeginsBehindTheReadingsBeginningByTheSlackIsWhole() {
      ledgers.add(Reread.from(SHARD, "400"));
      plans.readFrom = T.minus(Duration.ofHours(5)).minus(Duration.ofMinutes(10));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
      plans.readFrom = plans.readFrom.plusMillis(1);
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
    }

    /** The horizon moves on between the survey and the shard's first page. */
    @Test
    void whatExpiredBeforeTheShardsFirstPageIsNotCompared() {
      plans.retention = Duration.ofHours(24);
      plans.horizon = START;
      plans.readFrom = START;
      ledgers.add(Reread.emptyAt(SHARD, T.plus(Duration.ofHours(18))));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
      ledgers.set(0, Reread.emptyAt(SHARD, T.plus(Duration.ofHours(19))));
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
      assertThat(evidence(new BucketKey(SHARD, -4))).isEqualTo(Evidence.REREAD);
    }

    @Test
    void shardInWhichTheBackfillFoundNothingHadNothingToExpire() {
      plans.reported = List.of(Plans.copied(SHARD));
      plans.horizon = T.plusSeconds(1);
      ledgers.add(Reread.empty(SHARD));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
    }

    @Test
    void shardThatTheBackfillDidNotKnowIsWholeOnlyBehindTheHorizon() {
      plans.reported = List.of();
      ledgers.add(Reread.from(SHARD, "1"));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
      plans.horizon = T;
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
    }

    @Test
    void shardThatExpiredIsNotCompared() {
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
    }

    @Test
    void shardThatNeitherBackfillNorStreamHasHasNoRecordForSure() {
      assertThat(evidence(new BucketKey("made-up", -5))).isEqualTo(Evidence.REREAD);
    }
  }

  @Nested
  class ByTheOption {

    @Test
    void rereadNeverTakesTheWitness() {
      plans.evidence(ReconcileOptions.Evidence.REREAD);
      witness("500", "600");
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
      ledgers.add(Reread.from(SHARD, "501"));
      plans.horizon = T;
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
      ledgers.set(0, Reread.from(SHARD, "100"));
      assertThat(evidence()).isEqualTo(Evidence.REREAD);
    }

    @Test
    void witnessNeverTakesTheStream() {
      plans.evidence(ReconcileOptions.Evidence.WITNESS);
      ledgers.add(Reread.from(SHARD, "100"));
      assertThat(evidence()).isEqualTo(Evidence.NOT_COMPARED);
      witness("500", "600");
      assertThat(evidence()).isEqualTo(Evidence.WITNESS);
      // Also where it has no record: the backfill then read none.
      assertThat(evidence(new BucketKey(SHARD, -4))).isEqualTo(Evidence.WITNESS);
      assertThat(evidence(new BucketKey("made-up", -4))).isEqualTo(Evidence.WITNESS);
    }
  }
}
