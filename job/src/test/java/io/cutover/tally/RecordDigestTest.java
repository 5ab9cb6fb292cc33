package io.cutover.tally;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordDigestTest {

  private static final String SHARD = "shardId-000000000003";
  private static final String SEQUENCE = "49590338271490256608559692538361571095921575989136588898";
  private static final Optional<byte[]> KEY = Optional.of("clé".getBytes(UTF_8));
  private static final Optional<byte[]> VALUE = Optional.of(new byte[] {0, 1, -1});
  private static final long ARRIVAL = 1_700_000_000_123L;

  private final RecordDigest digest = new RecordDigest("910a8497894f28d2");

  private String hex() {
    return "%016x%016x".formatted(digest.high(), digest.low());
  }

  private String of(
      String shard,
      String sequence,
      OptionalInt sub,
      Optional<byte[]> key,
      long timestamp,
      Optional<byte[]> value) {
    digest.take(shard, sequence, sub, key, timestamp, value);
    return hex();
  }

  /** Computed with Python's hashlib and struct from the layout in the class's description. */
  @Test
  void digestIsTheDocumentedOne() {
    assertThat(of(SHARD, SEQUENCE, OptionalInt.empty(), KEY, ARRIVAL, VALUE))
        .isEqualTo("34faa240a823c353e3f947fbe61abc21");
    assertThat(of(SHARD, SEQUENCE, OptionalInt.of(0), KEY, ARRIVAL, VALUE))
        .isEqualTo("8d0313fc924fa5124e0ab01c982d46fc");
    assertThat(of(SHARD, "4959", OptionalInt.empty(), Optional.empty(), -1, bytes("")))
        .isEqualTo("45962f5c2695cbcdd01979f9c5b137d5");
    assertThat(of(SHARD, "4959", OptionalInt.empty(), bytes(""), -1, Optional.empty()))
        .isEqualTo("0dae29a9f6e56faba523ff23a4f16c95");
  }

  private static Optional<byte[]> bytes(String text) {
    return Optional.of(text.getBytes(UTF_8));
  }

  @Test
  void whatDiffersInAnyPartDiffers() {
    OptionalInt plain = OptionalInt.empty();
    List<String> all = new ArrayList<>();
    all.add(of("a", "1", plain, bytes("k"), 5, bytes("v")));
    all.add(of("b", "1", plain, bytes("k"), 5, bytes("v")));
    all.add(of("a", "2", plain, bytes("k"), 5, bytes("v")));
    all.add(of("a", "1", OptionalInt.of(0), bytes("k"), 5, bytes("v")));
    all.add(of("a", "1", OptionalInt.of(1), bytes("k"), 5, bytes("v")));
    all.add(of("a", "1", plain, bytes("l"), 5, bytes("v")));
    all.add(of("a", "1", plain, bytes(""), 5, bytes("v")));
    all.add(of("a", "1", plain, Optional.empty(), 5, bytes("v")));
    all.add(of("a", "1", plain, bytes("k"), 6, bytes("v")));
    all.add(of("a", "1", plain, bytes("k"), 5, bytes("w")));
    all.add(of("a", "1", plain, bytes("k"), 5, bytes("")));
    all.add(of("a", "1", plain, bytes("k"), 5, Optional.empty()));
    all.add(of("a1", "", plain, bytes("k"), 5, bytes("v")));
    all.add(of("", "a1", plain, bytes("k"), 5, bytes("v")));
    RecordDigest other = new RecordDigest("910a8497894f28d3");
    other.take("a", "1", plain, bytes("k"), 5, bytes("v"));
    all.add("%016x%016x".formatted(other.high(), other.low()));
    Set<String> distinct = new HashSet<>(all);
    assertThat(distinct).hasSameSizeAs(all);
  }

  @Test
  void digestDoesNotDependOnWhatWasTakenInBefore() {
    RecordDigest fresh = new RecordDigest("910a8497894f28d2");
    of("another shard", SEQUENCE, OptionalInt.of(9), bytes("x".repeat(70_000)), 1, VALUE);
    of("", "", OptionalInt.empty(), Optional.empty(), 0, Optional.empty());
    fresh.take(SHARD, SEQUENCE, OptionalInt.empty(), KEY, ARRIVAL, VALUE);
    assertThat(of(SHARD, SEQUENCE, OptionalInt.empty(), KEY, ARRIVAL, VALUE))
        .isEqualTo("%016x%016x".formatted(fresh.high(), fresh.low()));
  }
}
