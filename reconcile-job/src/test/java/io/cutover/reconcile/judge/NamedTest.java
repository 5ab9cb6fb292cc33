package io.cutover.reconcile.judge;

import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.T;
import static io.cutover.reconcile.plan.Plans.in;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import io.cutover.pin.Pins;
import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.BucketKey;
import io.cutover.reconcile.drilldown.ShardRead;
import io.cutover.reconcile.judge.Named.Counts;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import io.cutover.reconcile.verdict.Difference.Place;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.tally.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The bucket of window -3 holds 10 records in the stream, from 300 to 390. */
class NamedTest {

  private final List<Bucket> differing = new ArrayList<>();
  private final List<ShardRead> reads = new ArrayList<>(List.of(read("300")));
  private Named named;

  private static ShardRead read(String first) {
    return new ShardRead(SHARD, Optional.of(first), Optional.empty());
  }

  private static Optional<Tally> tally(long count, String lowest, String highest) {
    return Optional.of(new Tally(count, count, count, count, lowest, highest));
  }

  private static Bucket bucket(long window, Optional<Tally> kinesis, Optional<Tally> kafka) {
    return new Bucket(new BucketKey(SHARD, window), Evidence.REREAD, kinesis, kafka);
  }

  /** The bucket, of which the topic has so many. */
  private Bucket ofTen(long kafka) {
    Bucket bucket = bucket(-3, tally(10, "300", "390"), tally(kafka, "300", "390"));
    differing.add(bucket);
    return bucket;
  }

  private Optional<Difference> take(Difference found) {
    if (named == null) {
      named = new Named(Pins.any().tallies(), differing, reads);
    }
    return named.take(found);
  }

  private static Difference of(
      Kind kind, Set<Part> altered, String sequence, Optional<Long> arrival, Long... places) {
    List<Place> stands = new ArrayList<>();
    for (Long millis : places) {
      stands.add(new Place(0, stands.size(), Instant.ofEpochMilli(millis)));
    }
    return new Difference(
        kind,
        altered,
        Optional.of(new Origin(SHARD, sequence, OptionalInt.empty())),
        arrival.map(Instant::ofEpochMilli),
        stands);
  }

  private static Difference missing(String sequence) {
    return of(Kind.MISSING, Set.of(), sequence, Optional.of(in(-3)));
  }

  private static Difference extra(String sequence, Long... places) {
    return of(Kind.EXTRA, Set.of(), sequence, Optional.empty(), places);
  }

  private static Difference doubled(String sequence, Long... places) {
    return of(Kind.DOUBLED, Set.of(), sequence, Optional.of(in(-3)), places);
  }

  private static Difference altered(Part part, String sequence, Long... places) {
    return of(Kind.ALTERED, Set.of(part), sequence, Optional.of(in(-3)), places);
  }

  @Test
  void missingAndStragglersAreCountedWhereTheyArrived() {
    Bucket bucket = ofTen(8);
    assertThat(take(missing("310"))).contains(missing("310"));
    assertThat(named.explains(bucket)).isFalse();
    take(of(Kind.STRAGGLER, Set.of(), "390", Optional.of(in(-3))));
    assertThat(named.byWindow()).isEqualTo(Map.of(-3L, new Counts(2, 0, 0)));
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void extraIsCountedForEachOfItsPlaces() {
    Bucket bucket = ofTen(12);
    take(extra("315", in(-3), in(-3)));
    assertThat(named.total()).isEqualTo(new Counts(0, 2, 0));
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void doubledIsCountedButOnce() {
    Bucket bucket = ofTen(12);
    take(doubled("310", in(-3), in(-3), in(-3)));
    assertThat(named.total()).isEqualTo(new Counts(0, 2, 0));
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void alteredInItsWindowExplainsItsBucket() {
    Bucket bucket = ofTen(10);
    assertThat(new Named(Pins.any().tallies(), differing, reads).explains(bucket)).isFalse();
    take(altered(Part.VALUE, "310", in(-3)));
    assertThat(named.total()).isEqualTo(new Counts(0, 0, 1));
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void movedRecordExplainsBothBucketsAndIsNeitherMissingNorExtra() {
    Bucket left = ofTen(9);
    Bucket entered = bucket(-2, tally(5, "400", "440"), tally(6, "310", "440"));
    differing.add(entered);
    take(altered(Part.TIMESTAMP, "310", in(-2)));
    assertThat(named.total()).isEqualTo(new Counts(0, 0, 1));
    assertThat(named.byWindow()).containsOnlyKeys(-3L);
    assertThat(named.explains(left)).isTrue();
    assertThat(named.explains(entered)).isTrue();
  }

  @Test
  void movedOutOfTheSpanExplainsTheBucketThatItLeft() {
    Bucket left = ofTen(9);
    take(altered(Part.TIMESTAMP, "310", in(7)));
    assertThat(named.explains(left)).isTrue();
  }

  @Test
  void doubledWhoseOtherCopyIsAlteredIsExtraAndAltered() {
    Bucket bucket = ofTen(11);
    take(altered(Part.KEY, "310", in(-3), in(-3)));
    assertThat(named.total()).isEqualTo(new Counts(0, 1, 1));
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void recordThatIsOnlyMisplacedExplainsNoBucket() {
    Bucket bucket = ofTen(10);
    take(altered(Part.PARTITION, "310", in(-3)));
    assertThat(named.misplacedOnly()).isEqualTo(1);
    assertThat(named.total()).isEqualTo(new Counts(0, 0, 1));
    assertThat(named.explains(bucket)).isFalse();
  }

  @Test
  void misplacedRecordThatWasNotPairedIsCountedWhereItStands() {
    take(of(Kind.ALTERED, Set.of(Part.PARTITION), "310", Optional.empty(), in(-5)));
    assertThat(named.misplacedOnly()).isEqualTo(1);
    assertThat(named.byWindow()).isEqualTo(Map.of(-5L, new Counts(0, 0, 1)));
  }

  @Test
  void oneMissingAndOneExtraDoNotCancel() {
    Bucket bucket = ofTen(10);
    take(missing("310"));
    assertThat(named.explains(bucket)).isFalse();
    take(extra("315", in(-3)));
    assertThat(named.total()).isEqualTo(new Counts(1, 1, 0));
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void extraIsCertainOutsideOfWhatTheBucketHolds() {
    ofTen(12);
    reads.clear(); // it need not be looked for
    assertThat(take(extra("299", in(-3)))).isPresent();
    assertThat(take(extra("391", in(-3)))).isPresent();
    assertThat(take(extra("390", in(-3)))).isEmpty();
    assertThat(named.total()).isEqualTo(new Counts(0, 2, 0));
  }

  @Test
  void extraIsCertainWhereTheStreamHasNoRecord() {
    Bucket bucket = bucket(-3, Optional.empty(), tally(1, "310", "310"));
    differing.add(bucket);
    reads.clear();
    assertThat(take(extra("310", in(-3)))).isPresent();
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void extraIsCertainFromTheFirstRecordOnThatTheStreamStillShowed() {
    ofTen(12);
    reads.set(0, read("350"));
    assertThat(take(extra("350", in(-3)))).isPresent();
    assertThat(take(extra("349", in(-3)))).isEmpty();
    assertThat(named.total()).isEqualTo(new Counts(0, 1, 0));
  }

  @Test
  void extraIsUncertainWhereTheShardWasNotReadToItsEnd() {
    ofTen(11);
    reads.set(0, new ShardRead(SHARD, Optional.of("300"), Optional.of("a call failed")));
    assertThat(take(extra("310", in(-3)))).isEmpty();
    assertThat(named.byWindow()).isEmpty();
  }

  @Test
  void extraIsUncertainWhereTheShardShowedNothing() {
    ofTen(11);
    reads.set(0, new ShardRead(SHARD, Optional.empty(), Optional.empty()));
    assertThat(take(extra("310", in(-3)))).isEmpty();
  }

  @Test
  void uncertainExtraThatStandsTwiceIsDoubledForSure() {
    ofTen(11);
    reads.clear();
    assertThat(take(extra("310", in(-3), in(-3)))).map(Difference::kind).contains(Kind.DOUBLED);
    assertThat(named.total()).isEqualTo(new Counts(0, 1, 0));
  }

  /**
   * Where the stream does not show all of a bucket any more, a missing record has no sighting and
   * an extra one cannot be told from one that expired: what is named there is never known to be
   * all, though the counts agree.
   */
  @Test
  void bucketOfWhichSomeHasExpiredIsNeverExplained() {
    Bucket bucket = ofTen(11);
    reads.set(0, read("301"));
    take(doubled("310", in(-3), in(-3)));
    assertThat(named.explains(bucket)).isFalse();
    named = null;
    reads.set(0, read("300"));
    take(doubled("310", in(-3), in(-3)));
    assertThat(named.explains(bucket)).isTrue();
  }

  @Test
  void bucketOfAShardThatWasNotReadToItsEndIsNeverExplained() {
    Bucket bucket = ofTen(9);
    reads.set(0, new ShardRead(SHARD, Optional.of("300"), Optional.of("a call failed")));
    take(missing("310"));
    assertThat(named.explains(bucket)).isFalse();
  }

  @Test
  void recordsOfOthersAreCountedElsewhere() {
    Difference live =
        new Difference(
            Kind.WITHOUT_ORIGIN,
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(new Place(0, 1, T.minusSeconds(1))));
    assertThat(take(live)).contains(live);
    assertThat(named.total()).isEqualTo(Counts.NONE);
  }
}
