package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.Truth.Count;
import io.cutover.reconcile.Truth.Part;
import io.cutover.reconcile.Truth.Place;
import io.cutover.reconcile.Truth.Window;
import io.cutover.rig.Producer.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The oracle on copies that were made by hand: a parent, its child, two windows. */
class VerdictOracleTest {

  private static final String PIN = "0123456789abcdef";
  private static final String OTHER_PIN = "fedcba9876543210";
  private static final Instant T = Instant.parse("2026-03-01T12:00:00.500Z");
  private static final Instant FIRST = T.minus(Duration.ofHours(2));
  private static final Instant SECOND = T.minus(Duration.ofHours(1));
  private static final int PARTITIONS = 3;

  private static final TruthTerms TERMS =
      new TruthTerms(
          PIN,
          Optional.empty(),
          T,
          T,
          Duration.ofHours(1),
          PARTITIONS,
          true,
          Map.of("child", List.of("parent"), "grandchild", List.of("child")),
          Set.of("child/50"),
          Optional.empty());

  private final List<Written> stream = new ArrayList<>();
  private final List<Landed> topic = new ArrayList<>();

  /** A record of the topic, while it can still be changed; offsets come with the reading. */
  private record Landed(
      int partition,
      Instant timestamp,
      Optional<String> key,
      String value,
      Map<String, String> of) {

    Landed at(Instant other) {
      return new Landed(partition, other, key, value, of);
    }

    Landed keyed(Optional<String> other) {
      return new Landed(partition, timestamp, other, value, of);
    }

    Landed holding(String other) {
      return new Landed(partition, timestamp, key, other, of);
    }

    Landed in(int other) {
      return new Landed(other, timestamp, key, value, of);
    }

    Landed from(Map<String, String> other) {
      return new Landed(partition, timestamp, key, value, other);
    }
  }

  @BeforeEach
  void cleanCopy() {
    write("parent", "10", OptionalInt.empty(), "k", FIRST);
    write("parent", "11", OptionalInt.of(0), "k", FIRST.plusSeconds(1));
    write("parent", "11", OptionalInt.of(1), "k", FIRST.plusSeconds(1));
    write("child", "20", OptionalInt.empty(), "k", SECOND.minusMillis(1));
    write("child", "21", OptionalInt.empty(), "k", SECOND);
    write("child", "22", OptionalInt.empty(), "", T.minusMillis(1));
    stream.forEach(written -> topic.add(landed(written)));
    write("child", "23", OptionalInt.empty(), "k", T);
  }

  private Written write(
      String shard, String sequence, OptionalInt sub, String key, Instant arrival) {
    byte[] data = (shard + sequence).getBytes(UTF_8);
    Written written =
        new Written(shard, sequence, sub, Optional.of(key), Optional.empty(), arrival, data);
    stream.add(written);
    return written;
  }

  private static Landed landed(Written written) {
    String key = written.key().orElseThrow();
    return new Landed(
        partition(key),
        written.arrival(),
        Optional.of(key),
        new String(written.data(), UTF_8),
        origin(PIN, written.shardId(), written.sequence(), written.subSequence()));
  }

  private static int partition(String key) {
    return BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), PARTITIONS);
  }

  private static Map<String, String> origin(
      String pin, String shard, String sequence, OptionalInt sub) {
    return sub.isPresent()
        ? Map.of(
            "cutover.pin", pin,
            "kinesis.shard", shard,
            "kinesis.sequence", sequence,
            "kinesis.subsequence", Integer.toString(sub.getAsInt()))
        : Map.of("cutover.pin", pin, "kinesis.shard", shard, "kinesis.sequence", sequence);
  }

  private Truth found() {
    return found(TERMS);
  }

  private Truth found(TruthTerms terms) {
    List<ConsumerRecord<byte[], byte[]>> contents = new ArrayList<>();
    long[] offsets = new long[PARTITIONS];
    for (Landed landed : topic) {
      RecordHeaders headers = new RecordHeaders();
      landed.of().forEach((name, value) -> headers.add(name, value.getBytes(UTF_8)));
      contents.add(
          new ConsumerRecord<>(
              "orders",
              landed.partition(),
              offsets[landed.partition()]++,
              landed.timestamp().toEpochMilli(),
              TimestampType.CREATE_TIME,
              0,
              0,
              landed.key().map(key -> key.getBytes(UTF_8)).orElse(null),
              landed.value().getBytes(UTF_8),
              headers,
              Optional.empty()));
    }
    return VerdictOracle.of(terms, stream, contents);
  }

  private Landed foreign(Instant timestamp) {
    return new Landed(0, timestamp, Optional.of("live"), "live", Map.of());
  }

  @Test
  void cleanCopyIsCleared() {
    Truth found = found();
    assertThat(found.cleared()).isTrue();
    assertThat(found.identical()).isTrue();
    assertThat(found.windows())
        .containsExactly(
            Map.entry(FIRST, new Window(new Count(4, 31), new Count(4, 31), 0, 0)),
            Map.entry(SECOND, new Window(new Count(2, 14), new Count(2, 14), 0, 0)));
    assertThat(found.disordered()).isEmpty();
  }

  @Test
  void nothingOnEitherSideIsCleared() {
    stream.clear();
    topic.clear();
    assertThat(found().cleared()).isTrue();
    assertThat(found().windows()).isEmpty();
  }

  @Test
  void droppedRecordIsMissing() {
    topic.remove(4);
    assertThat(found().missing()).containsExactly("child/21");
    assertThat(found().cleared()).isFalse();
    assertThat(found().windows().get(SECOND))
        .isEqualTo(new Window(new Count(2, 14), new Count(1, 7), 1, 0));
  }

  @Test
  void memberIsMissedByItself() {
    topic.remove(2);
    assertThat(found().missing()).containsExactly("parent/11/1");
  }

  @Test
  void recordBehindTheStopIsAStraggler() {
    write("child", "50", OptionalInt.empty(), "k", T.minusSeconds(1));
    assertThat(found().straggled()).containsExactly("child/50");
    assertThat(found().missing()).isEmpty();
    assertThat(found().cleared()).isFalse();
  }

  @Test
  void missingAndDoubledDoNotCancel() {
    topic.set(1, topic.get(0));
    Truth found = found();
    assertThat(found.missing()).containsExactly("parent/11/0");
    assertThat(found.doubled()).containsExactly(Map.entry("parent/10", 2));
    assertThat(found.windows().get(FIRST).kafka().records()).isEqualTo(4);
    assertThat(found.disordered()).as("a double in a row").isEmpty();
    assertThat(found.cleared()).isFalse();
  }

  @Test
  void recordThatTheStreamDoesNotHaveIsExtra() {
    topic.add(topic.get(4).from(origin(PIN, "child", "99", OptionalInt.empty())));
    assertThat(found().extra()).containsExactly("child/99");
    assertThat(found().cleared()).isFalse();
  }

  @Test
  void alteredPartsAreNamed() {
    topic.set(0, topic.get(0).holding("another"));
    topic.set(4, topic.get(4).at(SECOND.plusMillis(1)));
    topic.set(5, topic.get(5).keyed(Optional.empty()));
    Truth found = found();
    assertThat(found.altered())
        .containsExactly(
            Map.entry("child/21", Set.of(Part.TIMESTAMP)),
            Map.entry("child/22", Set.of(Part.KEY)),
            Map.entry("parent/10", Set.of(Part.VALUE)));
    assertThat(found.missing()).isEmpty();
    assertThat(found.extra()).isEmpty();
    assertThat(found.cleared()).isFalse();
  }

  @Test
  void anotherKeyIsAlsoInTheWrongPartition() {
    int other = partition("k") == partition("other") ? partition("third") : partition("other");
    String key = partition("k") == partition("other") ? "third" : "other";
    assertThat(other).isNotEqualTo(partition("k"));
    topic.set(0, topic.get(0).keyed(Optional.of(key)));
    assertThat(found().altered())
        .containsExactly(Map.entry("parent/10", Set.of(Part.KEY, Part.PARTITION)));
  }

  @Test
  void shiftAcrossAWindowsEdgeIsAnAlterationAndMovesTheCount() {
    topic.set(3, topic.get(3).at(SECOND));
    Truth found = found();
    assertThat(found.altered()).containsOnlyKeys("child/20");
    assertThat(found.windows().get(FIRST).kafka().records()).isEqualTo(3);
    assertThat(found.windows().get(SECOND).kafka().records()).isEqualTo(3);
    assertThat(found.cleared()).isFalse();
  }

  @Test
  void shiftToNowIsAnAlterationOutsideOfTheSpan() {
    topic.set(3, topic.get(3).at(T.plusSeconds(600)));
    Truth found = found();
    assertThat(found.altered()).containsExactly(Map.entry("child/20", Set.of(Part.TIMESTAMP)));
    assertThat(found.copiedOutside()).isEqualTo(1);
    assertThat(found.cleared()).isFalse();
  }

  @Test
  void recordInAnotherPartitionIsMisplaced() {
    int elsewhere = (partition("k") + 1) % PARTITIONS;
    topic.set(0, topic.get(0).in(elsewhere));
    Truth found = found();
    assertThat(found.altered()).containsExactly(Map.entry("parent/10", Set.of(Part.PARTITION)));
    assertThat(found.misplaced()).hasSize(1).allMatch(place -> place.partition() == elsewhere);
    assertThat(found.cleared()).isFalse();
  }

  @Test
  void swappedRecordsAreOutOfOrderAndElseTheSame() {
    Landed first = topic.get(3);
    topic.set(3, topic.get(4));
    topic.set(4, first);
    Truth found = found();
    assertThat(found.identical()).isTrue();
    assertThat(found.disordered()).containsExactly(new Place(partition("k"), 4));
    assertThat(found.cleared()).isFalse();
  }

  @Test
  void swappedMembersAreOutOfOrder() {
    Landed first = topic.get(1);
    topic.set(1, topic.get(2));
    topic.set(2, first);
    assertThat(found().disordered()).containsExactly(new Place(partition("k"), 2));
  }

  @Test
  void parentBehindItsChildIsOutOfOrder() {
    topic.add(0, topic.remove(3));
    assertThat(found().disordered())
        .containsExactly(
            new Place(partition("k"), 1),
            new Place(partition("k"), 2),
            new Place(partition("k"), 3));
    assertThat(found().cleared()).isFalse();
  }

  @Test
  void grandparentBehindItsGrandchildIsOutOfOrder() {
    topic.add(0, landed(write("grandchild", "30", OptionalInt.empty(), "k", T.minusSeconds(1))));
    assertThat(found().disordered()).hasSize(5);
  }

  @Test
  void otherPartitionsHaveAnOrderOfTheirOwn() {
    topic.add(0, topic.remove(5));
    assertThat(partition("")).isNotEqualTo(partition("k"));
    assertThat(found().cleared()).isTrue();
  }

  @Test
  void whatIsCopiedFromTOnHasAnOrderOfItsOwn() {
    topic.add(0, landed(stream.get(6)));
    Truth found = found();
    assertThat(found.disordered()).isEmpty();
    assertThat(found.copiedOutside()).isEqualTo(1);
    assertThat(found.cleared()).isTrue();
  }

  @Test
  void recordThatLostAHeaderOfItsOriginIsMissingAndWithoutOne() {
    for (String name : List.of("cutover.pin", "kinesis.shard", "kinesis.sequence")) {
      topic.clear();
      stream.subList(0, 6).forEach(written -> topic.add(landed(written)));
      Map<String, String> of = new HashMap<>(topic.get(0).of());
      of.remove(name);
      topic.set(0, topic.get(0).from(of));
      Truth found = found();
      assertThat(found.missing()).as(name).containsExactly("parent/10");
      assertThat(found.withoutOrigin()).as(name).containsExactly(new Place(partition("k"), 0));
      assertThat(found.cleared()).as(name).isFalse();
    }
  }

  @Test
  void memberThatLostItsSubSequenceIsMissingAndExtra() {
    topic.set(1, topic.get(1).from(origin(PIN, "parent", "11", OptionalInt.empty())));
    assertThat(found().missing()).containsExactly("parent/11/0");
    assertThat(found().extra()).containsExactly("parent/11");
  }

  @Test
  void recordOfAnotherPinIsTold() {
    topic.add(topic.get(0).from(origin(OTHER_PIN, "parent", "10", OptionalInt.empty())));
    Truth found = found();
    assertThat(found.ofAnotherPin()).containsExactly(new Place(partition("k"), 5));
    assertThat(found.identical()).isTrue();
    assertThat(found.cleared()).isFalse();
  }

  @Test
  void dualWriteBeforeTIsNoneOfOursAndFromTOnAllowed() {
    topic.add(foreign(T));
    assertThat(found().cleared()).isTrue();
    assertThat(found().foreignOutside()).isEqualTo(1);
    topic.add(foreign(T.minusMillis(1)));
    assertThat(found().cleared()).isFalse();
    assertThat(found().withoutOrigin()).hasSize(1);
  }

  @Test
  void narrowedSpanSeesNothingBesideIt() {
    topic.remove(0);
    assertThat(found(TERMS.between(SECOND, T)).cleared()).isTrue();
    assertThat(found(TERMS.between(SECOND, T)).windows()).containsOnlyKeys(SECOND);
    assertThat(found(TERMS.between(FIRST, SECOND)).missing()).containsExactly("parent/10");
  }

  @Test
  void copyWithoutKeysHasNone() {
    TruthTerms keyless =
        new TruthTerms(
            PIN,
            Optional.empty(),
            T,
            T,
            Duration.ofHours(1),
            PARTITIONS,
            false,
            TERMS.parents(),
            Set.of(),
            Optional.empty());
    assertThat(found(keyless).altered()).hasSize(6);
    topic.replaceAll(landed -> landed.keyed(Optional.empty()));
    assertThat(found(keyless).cleared()).isTrue();
  }

  @Test
  void toleranceHoldsInEachWindowAndInTotal() {
    topic.remove(5);
    topic.remove(0);
    assertThat(found(TERMS.tolerating(2, 0)).cleared()).isTrue();
    assertThat(found(TERMS.tolerating(1, 0)).cleared()).as("one in each, two in all").isFalse();
    assertThat(found(TERMS.tolerating(0, 500_000)).cleared()).isTrue();
    assertThat(found(TERMS.tolerating(0, 333_333)).cleared()).as("rounded up").isTrue();
    assertThat(found(TERMS.tolerating(0, 166_666)).cleared()).isFalse();
  }

  @Test
  void moreInOneWindowDoesNotMakeUpForLessInAnother() {
    topic.remove(0);
    topic.add(topic.get(3));
    Truth found = found(TERMS.tolerating(1, 0));
    assertThat(found.windows().values())
        .extracting(window -> window.missing() + window.extra())
        .containsExactly(1L, 1L);
    assertThat(found.cleared()).isFalse();
    assertThat(found(TERMS.tolerating(2, 0)).cleared()).isTrue();
  }

  @Test
  void toleranceNeverCoversAnAlteredRecord() {
    topic.set(0, topic.get(0).holding("another"));
    assertThat(found(TERMS.tolerating(5, 1_000_000)).cleared()).isFalse();
  }

  @Test
  void toleranceNeverCoversAWindowThatIsEmptyOnOneSideOnly() {
    topic.subList(4, 6).clear();
    assertThat(found(TERMS.tolerating(5, 1_000_000)).cleared()).isFalse();
  }

  @Test
  void toleranceNeverCoversDisorderOrRecordsWithoutOrigin() {
    topic.add(foreign(FIRST));
    assertThat(found(TERMS.tolerating(5, 0)).cleared()).isFalse();
    topic.remove(6);
    topic.add(topic.remove(0));
    assertThat(found(TERMS.tolerating(5, 0)).cleared()).isFalse();
  }
}
