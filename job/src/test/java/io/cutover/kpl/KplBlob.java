package io.cutover.kpl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
}
