package io.cutover.kpl;

import static io.cutover.kpl.Given.ARRIVAL;
import static io.cutover.kpl.Given.SEQUENCE;
import static io.cutover.kpl.Given.SHARD;
import static io.cutover.kpl.Given.assertMalformed;
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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeaggregatorTest {

  private static final byte[] DATA = "payload".getBytes(UTF_8);
  private static final byte[] OTHER = "another".getBytes(UTF_8);

  /** A sound body, to be spoilt in one way at a time. */
  private static Wire sound() {
    return new Wire().partitionKey("k").member(0, DATA);
  }

  private static Written written(String partitionKey, byte[] data) {
    return new Written(partitionKey, Optional.empty(), data);
  }

  @Nested
  class Plain {

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
  }

  @Nested
  class Members {

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
      assertMembers(
          taken(new Wire().partitionKey("k").member(member)), List.of(written("k", DATA)));
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

  @Nested
  class Malformed {

    @Test
    void wrongMd5() {
      byte[] blob = sound().sealed();
      blob[blob.length - 1] ^= 1;
      assertMalformed(blob);
    }

    @Test
    void byteBehindTheTrailer() {
      assertMalformed(Wire.concat(sound().sealed(), new byte[] {0}));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 19})
    void magicWithoutRoomForTheTrailer(int length) {
      assertMalformed(Arrays.copyOf(Wire.MAGIC, length));
    }

    @Test
    void noMembersAtAll() {
      assertMalformed(new Wire());
      assertMalformed(new Wire().partitionKey("k").explicitHashKey("1"));
      assertMalformed(new Wire().field(99, 1));
    }

    @Test
    void partitionKeyOutsideTheTable() {
      assertMalformed(sound().member(1, DATA));
      assertMalformed(new Wire().member(0, DATA));
    }

    @Test
    void explicitHashKeyOutsideTheTable() {
      assertMalformed(sound().member(0, 0, DATA));
      assertMalformed(sound().explicitHashKey("1").member(0, 1, DATA));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 1L << 32, (1L << 32) + 1})
    void indexThatWouldFitItsTableOnlyIfItWereCut(long index) {
      assertMalformed(sound().member(index, DATA));
      assertMalformed(sound().explicitHashKey("1").member(0, index, DATA));
    }

    @Test
    void memberWithoutPartitionKey() {
      assertMalformed(sound().member(new Wire().field(3, DATA)));
    }

    @Test
    void memberWithoutData() {
      assertMalformed(sound().member(new Wire().field(1, 0)));
    }

    @Test
    void emptyMember() {
      assertMalformed(sound().member(new Wire()));
    }

    @Test
    void goodMembersBeforeABadOneAreNotEmitted() {
      assertMalformed(sound().member(0, OTHER).member(1, DATA));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void knownFieldOfAForeignWireType(int wireType) {
      byte[] eight = new byte[8];
      for (int field = 1; field <= 3; field++) {
        assertMalformed(sound().varint(Wire.tag(field, wireType)).raw(eight));
      }
      for (int field = 3; field <= 4; field++) {
        Wire member = new Wire().field(1, 0).field(3, DATA);
        assertMalformed(sound().member(member.varint(Wire.tag(field, wireType)).raw(eight)));
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void indexOfAForeignWireType(int wireType) {
      for (int field = 1; field <= 2; field++) {
        Wire member = new Wire().field(1, 0).field(3, DATA);
        member.varint(Wire.tag(field, wireType)).raw(new byte[8]);
        assertMalformed(sound().explicitHashKey("1").member(member));
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 6, 7})
    void groupOrWireTypeThatDoesNotExist(int wireType) {
      for (int field : new int[] {1, 3, 99}) {
        assertMalformed(sound().varint(Wire.tag(field, wireType)));
        Wire member = new Wire().field(1, 0).field(3, DATA).varint(Wire.tag(field, wireType));
        assertMalformed(sound().member(member));
      }
    }

    @Test
    void groupThatIsClosedAgain() {
      assertMalformed(sound().varint(Wire.tag(99, 3)).varint(Wire.tag(99, 4)));
    }

    @Test
    void fieldNumberZero() {
      assertMalformed(sound().field(0, 1));
      assertMalformed(sound().field(0, DATA));
      assertMalformed(sound().raw((byte) 0));
    }

    @Test
    void tagBeyond32Bits() {
      // Cut to 32 bits it would be a partition key.
      assertMalformed(sound().varint((1L << 32) | Wire.tag(1, 2)).varint(1).raw((byte) 'k'));
      assertMalformed(sound().varint(-1L).varint(1));
    }

    @Test
    void varintOfMoreThanTenBytes() {
      String eleven = "ffffffffffffffffffff01";
      assertMalformed(sound().raw(eleven));
      assertMalformed(sound().varint(Wire.tag(99, 0)).raw(eleven));
      assertMalformed(sound().member(new Wire().varint(Wire.tag(1, 0)).raw(eleven).field(3, DATA)));
    }

    @ParameterizedTest
    @ValueSource(
        longs = {
          8,
          Integer.MAX_VALUE,
          1L << 31,
          (1L << 32) + 7,
          Long.MAX_VALUE,
          -1,
          Long.MIN_VALUE
        })
    void lengthBeyondTheBytesThatAreThereAllocatesNothing(long length) {
      for (int field : new int[] {1, 2, 3, 99}) {
        assertMalformed(sound().varint(Wire.tag(field, 2)).varint(length).raw(DATA));
      }
      for (int field : new int[] {3, 4, 99}) {
        Wire member = new Wire().field(1, 0).field(3, DATA);
        assertMalformed(sound().member(member.varint(Wire.tag(field, 2)).varint(length).raw(DATA)));
      }
    }

    @Test
    void fieldOfAMemberThatReachesIntoTheNext() {
      Wire member = new Wire().field(1, 0).varint(Wire.tag(3, 2)).varint(3).raw("0102");
      assertMalformed(new Wire().partitionKey("k").member(member).member(0, DATA));
    }

    @Test
    void bodyThatEndsInTheMiddleOfAField() {
      byte[] body = new Wire().partitionKey("k").member(0, 0, DATA).explicitHashKey("1").bytes();
      for (int length = 0; length < body.length; length++) {
        // The last field is the table that the member points into, so that no cut is sound.
        assertMalformed(Wire.seal(Arrays.copyOf(body, length)));
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "c0af", "eda080", "f4908080", "e282", "6bff6b"})
    void keyThatIsNotUtf8HasNoTextToCopyVerbatim(String hex) {
      byte[] key = new Wire().raw(hex).bytes();
      assertMalformed(new Wire().field(1, key).member(0, DATA));
      assertMalformed(sound().field(2, key).member(0, 0, DATA));
    }

    @Test
    void replacementCharacterThatTheProducerWroteIsAKeyLikeAnyOther() {
      Wire body = new Wire().partitionKey("\uFFFD").member(0, DATA);
      assertMembers(taken(body), List.of(written("\uFFFD", DATA)));
    }
  }

  @Nested
  class OutOfRange {

    // MD5("k") = 8ce4b16b22b58894aa86c421e8759df3
    private static final BigInteger HASH_OF_K =
        new BigInteger("8ce4b16b22b58894aa86c421e8759df3", 16);

    private static Deaggregated taken(HashRange range, Wire body) {
      return new Deaggregator(SHARD, range).take(record(body.sealed()));
    }

    @Test
    void memberOfAnotherShardIsKeptAndCounted() {
      HashRange above = new HashRange(HASH_OF_K.add(BigInteger.ONE), HashRange.MAX);
      Deaggregated taken = taken(above, sound().partitionKey("other").member(0, OTHER));
      assertMembers(taken, List.of(written("k", DATA), written("k", OTHER)));
      assertThat(taken.outOfRange()).isEqualTo(2);
    }

    @Test
    void bothEndsOfTheRangeBelongToIt() {
      assertThat(taken(new HashRange(HASH_OF_K, HASH_OF_K), sound()).outOfRange()).isZero();
    }

    @Test
    void neighboursOfTheRangeDoNot() {
      HashRange below = new HashRange(BigInteger.ZERO, HASH_OF_K.subtract(BigInteger.ONE));
      assertThat(taken(below, sound()).outOfRange()).isOne();
    }

    @Test
    void explicitHashKeyOverridesThePartitionKey() {
      HashRange ofK = new HashRange(HASH_OF_K, HASH_OF_K);
      Wire inside =
          new Wire().partitionKey("other").explicitHashKey(HASH_OF_K.toString()).member(0, 0, DATA);
      assertThat(taken(ofK, inside).outOfRange()).isZero();
      Wire outside = new Wire().partitionKey("k").explicitHashKey("0").member(0, 0, DATA);
      assertThat(taken(ofK, outside).outOfRange()).isOne();
    }

    @Test
    void onlyMembersAreCountedNotTableEntries() {
      HashRange ofK = new HashRange(HASH_OF_K, HASH_OF_K);
      Wire body = sound().partitionKey("unused").explicitHashKey("0");
      assertThat(taken(ofK, body).outOfRange()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          " ",
          "x",
          "-1",
          "+1",
          "1.0",
          "0x1",
          " 1",
          "1 ",
          "\u0661", // an Arabic digit one
          "340282366920938463463374607431768211456", // 2^128
          "1000000000000000000000000000000000000000" // 40 digits
        })
    void explicitHashKeyThatRoutesNowhereIsKeptVerbatimAndCounted(String hashKey) {
      Wire body = sound().explicitHashKey(hashKey).member(0, 0, OTHER);
      Deaggregated taken = Given.taken(body);
      assertMembers(
          taken, List.of(written("k", DATA), new Written("k", Optional.of(hashKey), OTHER)));
      assertThat(taken.outOfRange()).isOne();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "0",
          "340282366920938463463374607431768211455", // 2^128 - 1
          "0000000000000000000000000000000000000000000001"
        })
    void explicitHashKeyThatRoutesIsNotCounted(String hashKey) {
      assertThat(Given.taken(sound().explicitHashKey(hashKey).member(0, 0, DATA)).outOfRange())
          .isZero();
    }

    @Test
    void explicitHashKeyOfAMillionDigitsIsNotWorkedOut() {
      String hashKey = "9".repeat(1_000_000);
      Deaggregated taken = Given.taken(sound().explicitHashKey(hashKey).member(0, 0, DATA));
      assertThat(taken.outOfRange()).isOne();
      assertThat(taken.records().get(1).explicitHashKey()).contains(hashKey);
    }
  }
}
