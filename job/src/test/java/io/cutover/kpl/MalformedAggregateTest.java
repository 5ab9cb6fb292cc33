package io.cutover.kpl;

import static io.cutover.kpl.Given.assertMalformed;
import static io.cutover.kpl.Given.assertMembers;
import static io.cutover.kpl.Given.taken;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.kpl.Given.Written;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way to spoil an aggregate passes it through whole. */
class MalformedAggregateTest {

  private static final byte[] DATA = "payload".getBytes(UTF_8);
  private static final byte[] OTHER = "another".getBytes(UTF_8);

  /** A sound body, to be spoilt in one way at a time. */
  private static Wire sound() {
    return new Wire().partitionKey("k").member(0, DATA);
  }

  private static Written written(String partitionKey, byte[] data) {
    return new Written(partitionKey, Optional.empty(), data);
  }

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

  /** Whether the bytes behind the tag fit the foreign wire type or, read blindly, the right one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  void textRecordDataOrTagsOfAForeignWireType(int wireType) {
    byte[] fixed = new byte[wireType == 5 ? 4 : 8];
    byte[] empty = {0};
    for (byte[] value : List.of(fixed, empty)) {
      for (int field = 1; field <= 2; field++) {
        assertMalformed(sound().varint(Wire.tag(field, wireType)).raw(value));
      }
      for (int field = 3; field <= 4; field++) {
        Wire member = new Wire().field(1, 0).field(3, DATA);
        assertMalformed(sound().member(member.varint(Wire.tag(field, wireType)).raw(value)));
      }
    }
    byte[] member = new Wire().field(1, 0).field(3, DATA).bytes();
    assertMalformed(sound().varint(Wire.tag(3, wireType)).raw(fixed));
    assertMalformed(sound().varint(Wire.tag(3, wireType)).varint(member.length).raw(member));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void indexOfAForeignWireType(int wireType) {
    byte[] fixed = new byte[wireType == 5 ? 4 : 8];
    byte[] zero = {0};
    for (byte[] value : List.of(fixed, zero)) {
      for (int field = 1; field <= 2; field++) {
        Wire member = new Wire().field(1, 0).field(3, DATA);
        member.varint(Wire.tag(field, wireType)).raw(value);
        assertMalformed(sound().explicitHashKey("1").member(member));
      }
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
    for (int bit = Integer.SIZE; bit < Long.SIZE; bit++) {
      assertMalformed(sound().varint((1L << bit) | Wire.tag(1, 2)).varint(1).raw((byte) 'k'));
    }
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
      longs = {8, Integer.MAX_VALUE, 1L << 31, (1L << 32) + 7, Long.MAX_VALUE, -1, Long.MIN_VALUE})
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
  void lengthThatWouldFitOnlyIfItWereCut() {
    for (int bit = Integer.SIZE; bit < Long.SIZE; bit++) {
      long length = (1L << bit) | DATA.length;
      for (int field : new int[] {1, 2, 99}) {
        assertMalformed(sound().varint(Wire.tag(field, 2)).varint(length).raw(DATA));
      }
      Wire member = new Wire().field(1, 0).varint(Wire.tag(3, 2)).varint(length).raw(DATA);
      assertMalformed(sound().member(member));
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
