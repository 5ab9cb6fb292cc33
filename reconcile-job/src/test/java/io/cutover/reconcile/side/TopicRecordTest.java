package io.cutover.reconcile.side;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kafka.OriginHeaders;
import io.cutover.kpl.Origin;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicRecordTest {

  private static final String SEQUENCE = "49590338271490256608559692538361571095921575989136588898";

  private final RecordHeaders headers = new RecordHeaders();

  private TopicRecordTest with(String name, String text) {
    headers.add(name, text.getBytes(UTF_8));
    return this;
  }

  /** With all that says whose copy it is and where it came from. */
  private TopicRecordTest whole() {
    return with(OriginHeaders.PIN, "9d3e51c07b42a6f8")
        .with(OriginHeaders.SHARD, "shardId-000000000000")
        .with(OriginHeaders.SEQUENCE, SEQUENCE);
  }

  private TopicRecord record(byte[] key, byte[] value) {
    return TopicRecord.of(
        new ConsumerRecord<>(
            "orders",
            3,
            17,
            1_700_000_000_000L,
            TimestampType.CREATE_TIME,
            -1,
            -1,
            key,
            value,
            headers,
            Optional.empty()));
  }

  private TopicRecord record() {
    return record(new byte[] {1}, new byte[] {2});
  }

  @Test
  void nullKeyAndValueAreNotEmptyOnes() {
    assertThat(record(null, null).key()).isEmpty();
    assertThat(record(null, null).value()).isEmpty();
    assertThat(record(new byte[0], new byte[0]).key()).hasValueSatisfying(TopicRecordTest::empty);
    assertThat(record(new byte[0], new byte[0]).value()).hasValueSatisfying(TopicRecordTest::empty);
  }

  private static void empty(byte[] bytes) {
    assertThat(bytes).isEmpty();
  }

  @Test
  void wholeOriginIsThatOfTheHeaders() {
    TopicRecord plain = whole().record();
    assertThat(plain.origin())
        .contains(new Origin("shardId-000000000000", SEQUENCE, OptionalInt.empty()));
    assertThat(plain.isOf("9d3e51c07b42a6f8")).isTrue();
    assertThat(plain.isOf("another")).isFalse();
    assertThat(with(OriginHeaders.SUB_SEQUENCE, "0").record().origin().orElseThrow().subSequence())
        .isEqualTo(OptionalInt.of(0));
  }

  @Test
  void originWithAPartOfItMissingIsNone() {
    assertThat(record().origin()).isEmpty();
    with(OriginHeaders.SHARD, "shardId-000000000000");
    assertThat(record().origin()).isEmpty();
    with(OriginHeaders.SEQUENCE, SEQUENCE);
    assertThat(record().origin()).isPresent();
    headers.remove(OriginHeaders.SHARD);
    assertThat(record().origin()).isEmpty();
  }

  @Test
  void withoutThePinItIsNobodysCopy() {
    with(OriginHeaders.SHARD, "shardId-000000000000").with(OriginHeaders.SEQUENCE, SEQUENCE);
    assertThat(record().origin()).isPresent();
    assertThat(record().isOf("9d3e51c07b42a6f8")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        OriginHeaders.PIN,
        OriginHeaders.SHARD,
        OriginHeaders.SEQUENCE,
      })
  void headerWithoutAValueCountsAsNone(String name) {
    whole();
    headers.add(name, null); // the last one of a name counts
    assertThat(record().isOf("9d3e51c07b42a6f8")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", " 1", "1 ", "12a", "1e5", "0x1", "\u0661\u0662"})
  void malformedSequenceNumbersAreNoOrigin(String text) {
    whole().with(OriginHeaders.SEQUENCE, text);
    assertThat(record().origin()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "+1", " 1", "1.0", "2147483648", "99999999999", "\u0661"})
  void malformedSubSequenceNumbersAreNoOriginRatherThanAPlainRecords(String text) {
    whole().with(OriginHeaders.SUB_SEQUENCE, text);
    assertThat(record().origin()).isEmpty();
  }

  /** Amazon's API lets a sequence number have up to 129 digits. */
  @Test
  void sequenceNumbersOfEveryLengthThatKinesisGivesAreAnOrigin() {
    for (int digits : new int[] {1, 56, 129}) {
      whole().with(OriginHeaders.SEQUENCE, "7".repeat(digits));
      assertThat(record().origin()).isPresent();
    }
    with(OriginHeaders.SEQUENCE, "7".repeat(130));
    assertThat(record().origin()).isEmpty();
  }

  /** Kinesis gives a shard id 1 to 128 letters, digits, underscores, dots and hyphens. */
  @Test
  void whatCannotBeAShardIdIsNoOrigin() {
    for (String text : new String[] {"", "a/1", "shard 0", "s".repeat(129), "\ufffd"}) {
      whole().with(OriginHeaders.SHARD, text);
      assertThat(record().origin()).as(text).isEmpty();
    }
    with(OriginHeaders.SHARD, "s".repeat(128));
    assertThat(record().origin()).isPresent();
  }

  @Test
  void recordWithoutAKeyBelongsToAnyPartitionAndOneWithAnEmptyKeyToOneOfThem() {
    assertThat(record(null, null).misplaced(4)).isFalse();
    int home = Utils.toPositive(Utils.murmur2(new byte[0])) % 4;
    assertThat(record(new byte[0], null).misplaced(4)).isEqualTo(home != 3);
  }

  @Property
  void recordIsAtHomeInExactlyOneOfThePinnedPartitions(
      @ForAll @Size(max = 20) byte[] key, @ForAll @IntRange(min = 1, max = 12) int partitions) {
    int[] homes =
        java.util.stream.IntStream.range(0, partitions)
            .filter(partition -> !at(partition, key).misplaced(partitions))
            .toArray();
    assertThat(homes).hasSize(1);
    assertThat(homes[0]).isEqualTo(Utils.toPositive(Utils.murmur2(key)) % partitions);
    // One that was added since is nobody's home.
    assertThat(at(partitions, key).misplaced(partitions)).isTrue();
  }

  private static TopicRecord at(int partition, byte[] key) {
    return new TopicRecord(
        partition,
        0,
        0,
        false,
        Optional.of(Arrays.copyOf(key, key.length)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void brokersStampIsTold() {
    TopicRecord stamped =
        TopicRecord.of(
            new ConsumerRecord<>(
                "orders",
                0,
                0,
                5,
                TimestampType.LOG_APPEND_TIME,
                -1,
                -1,
                null,
                null,
                headers,
                Optional.empty()));
    assertThat(stamped.appendTime()).isTrue();
    assertThat(record().appendTime()).isFalse();
  }
}
