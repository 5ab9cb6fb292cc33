package io.cutover.kpl;

import static io.cutover.kpl.Given.ARRIVAL;
import static io.cutover.kpl.Given.SEQUENCE;
import static io.cutover.kpl.Given.SHARD;
import static io.cutover.kpl.Given.assertMembers;
import static io.cutover.kpl.Given.assertWhole;
import static io.cutover.kpl.Given.record;
import static io.cutover.kpl.Given.taken;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregated.Kind;
import io.cutover.kpl.Given.Written;
import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no aggregate, and what is a sound one. */
class DeaggregatorTest {

  private static final byte[] DATA = "payload".getBytes(UTF_8);
  private static final byte[] OTHER = "another".getBytes(UTF_8);

  /** One member, whose key is k. */
  private static Wire sound() {
    return new Wire().partitionKey("k").member(0, DATA);
  }

  private static Written written(String partitionKey, byte[] data) {
    return new Written(partitionKey, Optional.empty(), data);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 19, 20, 1000})
  void recordWithoutTheMagicIsOneUserRecordWhateverItsLength(int length) {
    byte[] data = new byte[length];
    assertWhole(taken(data), Kind.PLAIN, data);
  }

  @Test
  void beginningOfTheMagicAloneIsPlain() {
    byte[] data = Arrays.copyOf(Wire.MAGIC, 3);
    assertWhole(taken(data), Kind.PLAIN, data);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void everyByteOfTheMagicCounts(int at) {
    byte[] data = sound().sealed();
    data[at] ^= 1;
    assertWhole(taken(data), Kind.PLAIN, data);
  }

  @Test
  void magicIsLookedForAtTheStartOnly() {
    byte[] data = Wire.concat(new byte[] {0}, sound().sealed());
    assertWhole(taken(data), Kind.PLAIN, data);
  }

  @Test
  void missingPartitionKeyStaysMissing() {
    KinesisRecord keyless = new KinesisRecord(SEQUENCE, Optional.empty(), ARRIVAL, DATA);
    Deaggregated taken = new Deaggregator(SHARD, HashRange.ALL).take(keyless);
    assertThat(taken.records().get(0).partitionKey()).isEmpty();
  }

  @Test
  void plainRecordOutsideTheShardIsNotCounted() {
    HashRange none = new HashRange(BigInteger.ZERO, BigInteger.ZERO);
    assertWhole(new Deaggregator(SHARD, none).take(record(DATA)), Kind.PLAIN, DATA);
  }

  @Test
  void memberHasItsOwnKeyAndItsIndexAndTheArrivalOfTheAggregate() {
    Wire body = new Wire().partitionKey("k0").partitionKey("k1").member(1, DATA).member(0, OTHER);
    assertMembers(taken(body), List.of(written("k1", DATA), written("k0", OTHER)));
  }

  @Test
  void soleMemberHasSubSequenceZeroWhichAPlainRecordHasNot() {
    assertThat(taken(sound()).records().get(0).origin().subSequence()).hasValue(0);
  }

  @Test
  void membersOfAKeylessAggregateHaveTheirKeys() {
    KinesisRecord keyless =
        new KinesisRecord(SEQUENCE, Optional.empty(), ARRIVAL, sound().sealed());
    assertMembers(
        new Deaggregator(SHARD, HashRange.ALL).take(keyless), List.of(written("k", DATA)));
  }

  @Test
  void membersMayShareAKey() {
    Wire body = new Wire().partitionKey("k").member(0, DATA).member(0, OTHER).member(0, DATA);
    assertMembers(
        taken(body), List.of(written("k", DATA), written("k", OTHER), written("k", DATA)));
  }

  @Test
  void explicitHashKeyIsOptionalPerMember() {
    Wire body =
        new Wire()
            .partitionKey("k")
            .explicitHashKey("1")
            .explicitHashKey("2")
            .member(0, 1, DATA)
            .member(0, DATA)
            .member(0, 0, DATA);
    assertMembers(
        taken(body),
        List.of(
            new Written("k", Optional.of("2"), DATA),
            written("k", DATA),
            new Written("k", Optional.of("1"), DATA)));
  }

  @Test
  void emptyKeyAndEmptyPayloadAreKept() {
    Wire body = new Wire().partitionKey("").member(0, new byte[0]);
    assertMembers(taken(body), List.of(written("", new byte[0])));
  }

  @Test
  void memberOfTenMebibytesIsUnpacked() {
    byte[] large = new byte[10 * 1024 * 1024];
    Arrays.fill(large, (byte) 0xC2);
    assertMembers(
        taken(new Wire().partitionKey("k").member(0, large)), List.of(written("k", large)));
  }

  @Test
  void dataOfAMemberIsItsOwnCopy() {
    byte[] blob = sound().sealed();
    UserRecord member = taken(blob).records().get(0);
    Arrays.fill(blob, (byte) 0);
    assertThat(member.data()).isEqualTo(DATA);
  }

  @Test
  void nestedAggregateStaysTheDataOfItsMember() {
    byte[] inner = sound().sealed();
    assertMembers(
        taken(new Wire().partitionKey("k").member(0, inner)), List.of(written("k", inner)));
  }

  @Test
  void tablesMayStandBehindTheMembers() {
    Wire body = new Wire().member(1, DATA).partitionKey("k0").member(0, OTHER).partitionKey("k1");
    assertMembers(taken(body), List.of(written("k1", DATA), written("k0", OTHER)));
  }

  @Test
  void fieldsOfAMemberMayStandInAnyOrder() {
    Wire member = new Wire().field(3, DATA).field(2, 0).field(1, 0);
    Wire body = new Wire().partitionKey("k").explicitHashKey("7").member(member);
    assertMembers(taken(body), List.of(new Written("k", Optional.of("7"), DATA)));
  }

  @Test
  void ofAFieldGivenTwiceTheLastCountsAsProtobufHasIt() {
    Wire member = new Wire().field(1, 0).field(3, OTHER).field(1, 1).field(3, DATA);
    Wire body = new Wire().partitionKey("k0").partitionKey("k1").member(member);
    assertMembers(taken(body), List.of(written("k1", DATA)));
  }

  @Test
  void tagsAreSkippedWhateverTheyHold() {
    Wire tag = new Wire().field(1, "name".getBytes(UTF_8)).field(2, "value".getBytes(UTF_8));
    Wire member =
        new Wire()
            .field(4, tag.bytes())
            .field(1, 0)
            .field(4, new byte[] {(byte) 0xff})
            .field(3, DATA)
            .field(4, new byte[0]);
    assertMembers(taken(new Wire().partitionKey("k").member(member)), List.of(written("k", DATA)));
  }

  @Test
  void unknownFieldsOfEveryWireTypeAreSkippedAtEveryLevel() {
    Wire unknown =
        new Wire()
            .field(99, -1L)
            .varint(Wire.tag(98, 1))
            .raw(new byte[8])
            .field(97, OTHER)
            .varint(Wire.tag(96, 5))
            .raw(new byte[4])
            .field((1 << 29) - 1, 1);
    Wire member = new Wire().raw(unknown.bytes()).field(1, 0).field(3, DATA).raw(unknown.bytes());
    Wire body =
        new Wire().raw(unknown.bytes()).partitionKey("k").member(member).raw(unknown.bytes());
    assertMembers(taken(body), List.of(written("k", DATA)));
  }

  @Test
  void oneDeaggregatorTakesAnyMixtureOneAfterTheOther() {
    Deaggregator deaggregator = new Deaggregator(SHARD, HashRange.ALL);
    byte[] spoilt = sound().sealed();
    spoilt[spoilt.length - 1] ^= 1;
    for (int round = 0; round < 3; round++) {
      assertMembers(deaggregator.take(record(sound().sealed())), List.of(written("k", DATA)));
      assertWhole(deaggregator.take(record(spoilt)), Kind.MALFORMED, spoilt);
      assertWhole(deaggregator.take(record(DATA)), Kind.PLAIN, DATA);
    }
  }
}
