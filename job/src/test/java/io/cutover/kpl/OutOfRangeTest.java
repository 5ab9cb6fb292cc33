package io.cutover.kpl;

import static io.cutover.kpl.Given.SHARD;
import static io.cutover.kpl.Given.assertMembers;
import static io.cutover.kpl.Given.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Given.Written;
import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members that another shard should hold, or none, are kept and counted. */
class OutOfRangeTest {

  private static final byte[] DATA = "payload".getBytes(UTF_8);
  private static final byte[] OTHER = "another".getBytes(UTF_8);

  // MD5("k") = 8ce4b16b22b58894aa86c421e8759df3
  private static final BigInteger HASH_OF_K =
      new BigInteger("8ce4b16b22b58894aa86c421e8759df3", 16);

  /** One member, whose key is k. */
  private static Wire sound() {
    return new Wire().partitionKey("k").member(0, DATA);
  }

  private static Written written(String partitionKey, byte[] data) {
    return new Written(partitionKey, Optional.empty(), data);
  }

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
        "000",
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
