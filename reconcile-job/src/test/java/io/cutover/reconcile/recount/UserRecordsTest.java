package io.cutover.reconcile.recount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregator;
import io.cutover.kpl.KplBlob;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.HashRange;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Held against the de-aggregation that the copy uses. */
class UserRecordsTest {

  private static final HexFormat HEX = HexFormat.of();

  private static Count asTheCopyHasIt(byte[] data) {
    List<UserRecord> records =
        new Deaggregator("s", HashRange.ALL)
            .take(new KinesisRecord("1", Optional.of("k"), 0, data))
            .records();
    return new Count(
        records.size(), records.stream().mapToLong(record -> record.data().length).sum());
  }

  private static void assertSame(byte[] data) {
    assertThat(UserRecords.in(data)).as(HEX.formatHex(data)).isEqualTo(asTheCopyHasIt(data));
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] flipped = bytes.clone();
    flipped[bit / 8] ^= (byte) (1 << (bit % 8));
    return flipped;
  }

  @Example
  void membersAreCountedWithTheirOwnBytes() {
    byte[] blob =
        KplBlob.of(
            List.of(
                new KplBlob.Member("a", Optional.empty(), "four".getBytes(UTF_8)),
                new KplBlob.Member("b", Optional.of("7"), new byte[0]),
                new KplBlob.Member("a", Optional.of("9"), "sevens!".getBytes(UTF_8))));
    assertThat(UserRecords.in(blob)).isEqualTo(new Count(3, 11));
  }

  @Example
  void whatIsNoAggregateIsOneRecordWithAllOfItsBytes() {
    assertThat(UserRecords.in(new byte[0])).isEqualTo(new Count(1, 0));
    assertThat(UserRecords.in(new byte[300])).isEqualTo(new Count(1, 300));
    KplBlob.malformed()
        .forEach(
            (how, blob) ->
                assertThat(UserRecords.in(blob)).as(how).isEqualTo(new Count(1, blob.length)));
  }

  /** What a parser that cuts numbers to 32 bits, or replaces broken text, would let pass. */
  @Example
  void brokenBodiesBehindARightMd5AreOneRecord() {
    String key = "0a016b";
    String member = "1a0508001a0178";
    assertThat(UserRecords.in(sealed(key + member))).isEqualTo(new Count(1, 1));
    for (String broken :
        List.of(
            "0a01ff" + member, // a key that is not UTF-8
            key + "1a0508011a0178", // an index behind its table
            key + "1a0e08ffffffffffffffffff011a0178", // 2^64 - 1 as an index
            key + "1a07080010001a0178", // a hash key's index without a table
            key + "1a031a0178", // a member without a key
            key + "1a020800", // a member without data
            key + member + "1b1c", // a group
            key + member + "0001", // field 0
            key + member + "8a80808010016b", // a tag above 32 bits
            key + member + "0a81808080106b", // a length above 32 bits
            key + member + "1a", // cut
            key)) {
      byte[] blob = sealed(broken);
      assertThat(UserRecords.in(blob)).as(broken).isEqualTo(new Count(1, blob.length));
      assertSame(blob);
    }
  }

  private static byte[] sealed(String body) {
    return KplBlob.sealed(HEX.parseHex(body));
  }

  @Property(tries = 500)
  void soundAggregatesAreCountedAsTheCopyHasThem(@ForAll("sound") byte[] blob) {
    assertSame(blob);
  }

  @Property(tries = 1000)
  void anyBytesAreCountedAsTheCopyHasThem(@ForAll @Size(max = 200) byte[] data) {
    assertSame(data);
    assertSame(KplBlob.sealed(data));
  }

  @Property(tries = 10_000)
  void bodiesThatMeanSomethingAreCountedAsTheCopyHasThem(@ForAll("bodies") byte[] body) {
    assertSame(KplBlob.sealed(body));
  }

  @Property(tries = 20)
  void damagedAggregatesAreCountedAsTheCopyHasThem(@ForAll("sound") byte[] blob) {
    byte[] body = KplBlob.body(blob);
    int most = Math.min(body.length, 600);
    for (int bit = 0; bit < most * 8; bit++) {
      assertSame(flipped(blob, bit));
      assertSame(KplBlob.sealed(flipped(body, bit)));
    }
    for (int length = 0; length < most; length++) {
      assertSame(Arrays.copyOf(blob, length));
      assertSame(KplBlob.sealed(Arrays.copyOf(body, length)));
    }
  }

  @Provide
  Arbitrary<byte[]> sound() {
    return KplBlob.sound();
  }

  @Provide
  Arbitrary<byte[]> bodies() {
    return KplBlob.bodies();
  }
}
