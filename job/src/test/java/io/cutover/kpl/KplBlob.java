package io.cutover.kpl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** KPL aggregates for tests of other packages. */
public final class KplBlob {

  /** One user record inside an aggregate. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Member(String partitionKey, Optional<String> explicitHashKey, byte[] data) {}

  private KplBlob() {}

  /** Each way to be no sound aggregate though the magic is there, by name. */
  public static Map<String, byte[]> malformed() {
    byte[] data = "payload".getBytes(UTF_8);
    byte[] body = new Wire().partitionKey("k").member(0, data).member(0, data).bytes();
    byte[] wrongTrailer = Wire.seal(body);
    wrongTrailer[wrongTrailer.length - 1] ^= 1;
    byte[] flipped = Wire.seal(body);
    flipped[Wire.MAGIC.length + 5] ^= 8;
    byte[] truncated = Arrays.copyOf(Wire.seal(body), Wire.seal(body).length - 20);
    return Map.of(
        "magic alone", Wire.MAGIC,
        "wrong MD5", wrongTrailer,
        "bit flipped in the body", flipped,
        "truncated", truncated,
        "body truncated, then sealed", Wire.seal(Arrays.copyOf(body, body.length - 3)),
        "byte behind the trailer", Wire.concat(Wire.seal(body), new byte[] {0}),
        "zero members", Wire.seal(new Wire().partitionKey("k").bytes()),
        "key index out of range", new Wire().partitionKey("k").member(1, data).sealed(),
        "hash key index out of range", new Wire().partitionKey("k").member(0, 0, data).sealed());
  }

  /** The aggregate's bytes as KPL lays them out. */
  public static byte[] of(List<Member> members) {
    return Aggregates.blob(
        members.stream()
            .map(m -> new Given.Written(m.partitionKey(), m.explicitHashKey(), m.data()))
            .toList(),
        Aggregates.Layout.SHARED_TABLES);
  }

  /** Sound aggregates, however a producer lays them out. */
  public static Arbitrary<byte[]> sound() {
    return Combinators.combine(Aggregates.members(20), Arbitraries.of(Aggregates.Layout.class))
        .as(Aggregates::blob);
  }

  /** Mostly bytes that mean something to a parser, so that it gets beyond the first tag. */
  public static Arbitrary<byte[]> bodies() {
    Arbitrary<Byte> telling =
        Arbitraries.of(0, 1, 2, 3, 4, 6, 8, 0x0a, 0x10, 0x12, 0x1a, 0x1b, 0x22, 0x7f, 0x80, 0xff)
            .map(Integer::byteValue);
    return Arbitraries.frequencyOf(Tuple.of(9, telling), Tuple.of(1, Arbitraries.bytes()))
        .array(byte[].class)
        .ofMaxSize(60);
  }

  /** With the magic before the body and its MD5 behind it. */
  public static byte[] sealed(byte[] body) {
    return Wire.seal(body);
  }

  /** What stands between the magic and the MD5. */
  public static byte[] body(byte[] blob) {
    return Arrays.copyOfRange(blob, Wire.MAGIC.length, blob.length - 16);
  }
}
