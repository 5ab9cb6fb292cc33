package io.cutover.kpl;

import static io.cutover.kpl.Given.assertMalformed;
import static io.cutover.kpl.Given.assertMembers;
import static io.cutover.kpl.Given.assertWhole;
import static io.cutover.kpl.Given.record;
import static io.cutover.kpl.Given.taken;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Aggregates.Layout;
import io.cutover.kpl.Deaggregated.Kind;
import io.cutover.kpl.Given.Written;
import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class DeaggregatorPropertyTest {

  @Property(tries = 500)
  void whatWasAggregatedComesOutAgain(
      @ForAll("members") List<Written> members, @ForAll Layout layout) {
    Deaggregated taken = taken(Aggregates.blob(members, layout));
    assertMembers(taken, members);
    assertThat(taken.outOfRange()).isZero();
  }

  @Property(tries = 300)
  void membersOutsideTheShardAreCountedAsKinesisWouldRouteThem(
      @ForAll("members") List<Written> members,
      @ForAll Layout layout,
      @ForAll("ranges") HashRange range) {
    Deaggregated taken =
        new Deaggregator(Given.SHARD, range).take(record(Aggregates.blob(members, layout)));
    assertMembers(taken, members);
    assertThat(taken.outOfRange())
        .isEqualTo((int) members.stream().filter(m -> !range.contains(hash(m))).count());
  }

  @Property(tries = 1000)
  void randomBytesAreNeverLost(@ForAll @Size(max = 200) byte[] data) {
    Deaggregated taken = taken(data);
    assertWhole(taken, startsWithMagic(data) ? Kind.MALFORMED : Kind.PLAIN, data);
  }

  @Property(tries = 1000)
  void randomBytesBehindTheMagicArePassedThroughWhole(@ForAll @Size(max = 200) byte[] data) {
    assertMalformed(Wire.concat(Wire.MAGIC, data));
  }

  @Property(tries = 20_000)
  void randomBodyBehindARightMd5IsNeverLost(@ForAll("bodies") byte[] body) {
    assertUnpackedOrWhole(Wire.seal(body));
  }

  @Property(tries = 40)
  void everyFlippedBitOfABlobPassesItThroughWhole(
      @ForAll("fewMembers") List<Written> members, @ForAll Layout layout) {
    byte[] sound = Aggregates.blob(members, layout);
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] flipped = flip(sound, bit);
      assertWhole(taken(flipped), bit < 32 ? Kind.PLAIN : Kind.MALFORMED, flipped);
    }
  }

  /** With the MD5 made right again, so that the parser itself must stand the flip. */
  @Property(tries = 40)
  void everyFlippedBitOfABodyIsUnpackedOrPassedThroughWhole(
      @ForAll("fewMembers") List<Written> members, @ForAll Layout layout) {
    byte[] body = body(Aggregates.blob(members, layout));
    for (int bit = 0; bit < body.length * 8; bit++) {
      assertUnpackedOrWhole(Wire.seal(flip(body, bit)));
    }
  }

  @Property(tries = 40)
  void everyTruncationOfABlobPassesItThroughWhole(
      @ForAll("fewMembers") List<Written> members, @ForAll Layout layout) {
    byte[] sound = Aggregates.blob(members, layout);
    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertWhole(taken(cut), length < 4 ? Kind.PLAIN : Kind.MALFORMED, cut);
    }
  }

  /**
   * A body cut between two members is a sound aggregate of the members before the cut; anywhere
   * else it is none.
   */
  @Property(tries = 40)
  void everyTruncationOfABodyIsItsFirstMembersOrPassedThroughWhole(
      @ForAll("fewMembers") List<Written> members) {
    byte[] body = body(Aggregates.blob(members, Layout.SHARED_TABLES));
    for (int length = 0; length < body.length; length++) {
      byte[] cut = Wire.seal(Arrays.copyOf(body, length));
      Deaggregated taken = taken(cut);
      if (taken.kind() == Kind.AGGREGATE) {
        assertMembers(taken, members.subList(0, taken.records().size()));
      } else {
        assertWhole(taken, Kind.MALFORMED, cut);
      }
    }
  }

  @Property(tries = 200)
  void bytesLeftOverBehindTheMd5PassItThroughWhole(
      @ForAll("fewMembers") List<Written> members,
      @ForAll @Size(min = 1, max = 40) byte[] leftOver) {
    assertMalformed(Wire.concat(Aggregates.blob(members, Layout.SHARED_TABLES), leftOver));
  }

  @Provide
  Arbitrary<List<Written>> members() {
    return Aggregates.members();
  }

  @Provide
  Arbitrary<List<Written>> fewMembers() {
    return Aggregates.members(4);
  }

  @Provide
  Arbitrary<HashRange> ranges() {
    Arbitrary<BigInteger> hashKeys =
        Arbitraries.bigIntegers().between(BigInteger.ZERO, HashRange.MAX).withoutEdgeCases();
    return Combinators.combine(hashKeys, hashKeys).as((a, b) -> new HashRange(a.min(b), a.max(b)));
  }

  @Provide
  Arbitrary<byte[]> bodies() {
    return KplBlob.bodies();
  }

  /** Every member that protobuf's own parser finds, or the blob as it stands. */
  private static void assertUnpackedOrWhole(byte[] blob) {
    Deaggregated taken = taken(blob);
    if (taken.kind() == Kind.AGGREGATE) {
      assertMembers(taken, ProtobufOracle.members(body(blob)));
    } else {
      assertWhole(taken, Kind.MALFORMED, blob);
    }
  }

  private static BigInteger hash(Written member) {
    return member
        .explicitHashKey()
        .map(BigInteger::new)
        .orElseGet(
            () ->
                new BigInteger(
                    1, Wire.md5(member.partitionKey().getBytes(StandardCharsets.UTF_8))));
  }

  private static boolean startsWithMagic(byte[] data) {
    return data.length >= 4 && Arrays.equals(Arrays.copyOf(data, 4), Wire.MAGIC);
  }

  private static byte[] body(byte[] blob) {
    return Arrays.copyOfRange(blob, 4, blob.length - 16);
  }

  private static byte[] flip(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8] ^= (byte) (1 << (bit % 8));
    return flipped;
  }
}
