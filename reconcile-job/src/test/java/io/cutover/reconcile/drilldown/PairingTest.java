package io.cutover.reconcile.drilldown;

import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.in;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import io.cutover.reconcile.verdict.Difference.Place;
import io.cutover.source.Mark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The backfill stopped behind sequence number 500. */
class PairingTest {

  private static final long ARRIVAL = in(-3);
  private static final Fingerprint.Maker PRINTS = new Fingerprint.Maker();

  private final Plans plans = new Plans();
  private final List<Sighting> met = new ArrayList<>();

  PairingTest() {
    plans.reported =
        List.of(Plans.copied(SHARD, new Mark("100", in(-20)), new Mark("500", in(-1))));
  }

  private static Fingerprint print(String text) {
    return PRINTS.of(Optional.of(text.getBytes(UTF_8)));
  }

  private static Origin origin(String sequence) {
    return new Origin(SHARD, sequence, OptionalInt.empty());
  }

  private void inStream(String sequence) {
    met.add(
        new Sighting(
            origin(sequence),
            Optional.empty(),
            ARRIVAL,
            true,
            false,
            false,
            print("k"),
            print("v")));
  }

  private void inTopic(String sequence, long offset) {
    met.add(copy(sequence, offset, ARRIVAL, true, false, print("k"), print("v")));
  }

  private static Sighting copy(
      String sequence,
      long offset,
      long millis,
      boolean targeted,
      boolean misplaced,
      Fingerprint key,
      Fingerprint value) {
    return new Sighting(
        origin(sequence),
        Optional.of(new Sighting.Spot(2, offset)),
        millis,
        targeted,
        misplaced,
        false,
        key,
        value);
  }

  private List<Difference> paired() throws Exception {
    return Again.paired(plans.plan(), met);
  }

  private Difference one() throws Exception {
    assertThat(paired()).hasSize(1);
    return paired().get(0);
  }

  private static Place place(long offset) {
    return new Place(2, offset, Instant.ofEpochMilli(ARRIVAL));
  }

  @Test
  void sameOnBothSidesIsNoDifference() throws Exception {
    inStream("300");
    inTopic("300", 7);
    inTopic("301", 8);
    inStream("301"); // whichever is met first
    assertThat(paired()).isEmpty();
  }

  @Test
  void recordOfTheStreamAloneIsMissing() throws Exception {
    inStream("300");
    assertThat(one())
        .isEqualTo(
            new Difference(
                Kind.MISSING,
                Set.of(),
                Optional.of(origin("300")),
                Optional.of(Instant.ofEpochMilli(ARRIVAL)),
                List.of()));
  }

  @Test
  void missingRecordBehindTheBackfillsLastIsAStraggler() throws Exception {
    inStream("500");
    assertThat(one().kind()).isEqualTo(Kind.MISSING);
    met.clear();
    inStream("501");
    assertThat(one().kind()).isEqualTo(Kind.STRAGGLER);
    met.clear();
    inStream("1000"); // as a number
    assertThat(one().kind()).isEqualTo(Kind.STRAGGLER);
  }

  @Test
  void missingRecordOfAShardThatWasEmptyThenIsAStraggler() throws Exception {
    plans.reported = List.of(Plans.copied(SHARD));
    inStream("1");
    assertThat(one().kind()).isEqualTo(Kind.STRAGGLER);
  }

  @Test
  void recordOfTheTopicAloneIsExtraWithAllItsPlaces() throws Exception {
    inTopic("300", 9);
    inTopic("300", 7);
    assertThat(one())
        .isEqualTo(
            new Difference(
                Kind.EXTRA,
                Set.of(),
                Optional.of(origin("300")),
                Optional.empty(),
                List.of(place(7), place(9))));
  }

  @Test
  void recordThatOnlyMayHaveGotOutOfABucketIsNoExtra() throws Exception {
    met.add(copy("300", 7, ARRIVAL, false, false, print("k"), print("v")));
    assertThat(paired()).isEmpty();
  }

  @Test
  void placesOutsideOfTheBucketsThatDifferAreNotExtra() throws Exception {
    met.add(copy("300", 6, in(-9), false, false, print("k"), print("v")));
    inTopic("300", 7);
    assertThat(one().kind()).isEqualTo(Kind.EXTRA);
    assertThat(one().places()).containsExactly(place(7));
  }

  @Test
  void recordTwiceInTheTopicIsDoubled() throws Exception {
    inStream("300");
    inTopic("300", 8);
    inTopic("300", 7);
    assertThat(one().kind()).isEqualTo(Kind.DOUBLED);
    assertThat(one().altered()).isEmpty();
    assertThat(one().places()).containsExactly(place(7), place(8));
  }

  @Test
  void eachPartThatIsAlteredIsNamed() throws Exception {
    assertAltered(copy("300", 7, ARRIVAL, true, false, print("K"), print("v")), Part.KEY);
    assertAltered(copy("300", 7, ARRIVAL, true, false, print("k"), print("V")), Part.VALUE);
    assertAltered(copy("300", 7, ARRIVAL + 1, true, false, print("k"), print("v")), Part.TIMESTAMP);
    assertAltered(copy("300", 7, ARRIVAL, true, true, print("k"), print("v")), Part.PARTITION);
    assertAltered(copy("300", 7, ARRIVAL - 1, true, true, print("K"), print("V")), Part.values());
  }

  /** Its first copy lies in a bucket that agrees, so that nothing is paired with it. */
  @Test
  void secondCopyThatIsStampedFromTOnIsAlteredAlone() throws Exception {
    met.add(
        new Sighting(
            origin("300"),
            Optional.of(new Sighting.Spot(2, 9)),
            ARRIVAL + 1,
            false,
            false,
            true,
            print("k"),
            print("v")));
    assertThat(one().kind()).isEqualTo(Kind.ALTERED);
    assertThat(one().altered()).containsExactly(Part.TIMESTAMP);
  }

  @Test
  void nullForEmptyIsAltered() throws Exception {
    Fingerprint absent = PRINTS.of(Optional.empty());
    met.add(
        new Sighting(
            origin("300"), Optional.empty(), ARRIVAL, true, false, false, print(""), print("v")));
    met.add(copy("300", 7, ARRIVAL, true, false, absent, print("v")));
    assertThat(one().altered()).containsExactly(Part.KEY);
  }

  private void assertAltered(Sighting copy, Part... parts) throws Exception {
    met.clear();
    inStream("300");
    met.add(copy);
    assertThat(one().kind()).isEqualTo(Kind.ALTERED);
    assertThat(one().altered()).containsExactly(parts);
    assertThat(one().arrival()).contains(Instant.ofEpochMilli(ARRIVAL));
  }

  @Test
  void oneOfTwoCopiesThatIsAlteredMakesTheRecordAltered() throws Exception {
    inStream("300");
    inTopic("300", 7);
    met.add(copy("300", 8, ARRIVAL, true, false, print("k"), print("V")));
    assertThat(one().kind()).isEqualTo(Kind.ALTERED);
    assertThat(one().altered()).containsExactly(Part.VALUE);
    assertThat(one().places()).containsExactly(place(7), place(8));
  }

  @Test
  void copyThatGotOutOfItsWindowIsAlteredAndNotMissing() throws Exception {
    inStream("300");
    met.add(copy("300", 7, in(4), false, false, print("k"), print("v")));
    assertThat(one().kind()).isEqualTo(Kind.ALTERED);
    assertThat(one().altered()).containsExactly(Part.TIMESTAMP);
    assertThat(one().places()).containsExactly(new Place(2, 7, Instant.ofEpochMilli(in(4))));
  }

  /**
   * Its bucket agrees, so that it is not looked for in the stream; its partition is wrong still.
   */
  @Test
  void misplacedRecordInABucketThatAgreesIsNamed() throws Exception {
    met.add(copy("300", 7, ARRIVAL, false, true, print("k"), print("v")));
    met.add(copy("300", 8, ARRIVAL, false, false, print("k"), print("v")));
    assertThat(one())
        .isEqualTo(
            new Difference(
                Kind.ALTERED,
                Set.of(Part.PARTITION),
                Optional.of(origin("300")),
                Optional.empty(),
                List.of(place(7))));
  }

  @Test
  void membersOfOneAggregateAndRecordsOfTwoShardsAreApart() throws Exception {
    for (Origin origin :
        List.of(
            new Origin(SHARD, "300", OptionalInt.empty()),
            new Origin(SHARD, "300", OptionalInt.of(0)),
            new Origin(SHARD, "300", OptionalInt.of(1)),
            new Origin("other", "300", OptionalInt.of(1)))) {
      met.add(
          new Sighting(
              origin, Optional.empty(), ARRIVAL, true, false, false, print("k"), print("v")));
    }
    assertThat(paired()).hasSize(4).extracting(Difference::origin).doesNotHaveDuplicates();
  }
}
