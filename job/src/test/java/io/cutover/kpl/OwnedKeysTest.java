package io.cutover.kpl;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class OwnedKeysTest {

  private static OwnedKeys owned(BigInteger start, BigInteger end) {
    try {
      return new OwnedKeys(new HashRange(start, end), MessageDigest.getInstance("MD5"));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static BigInteger hash(String key) {
    return new BigInteger(1, Wire.md5(key.getBytes(StandardCharsets.UTF_8)));
  }

  @Property(tries = 500)
  void partitionKeyBelongsWhereItsMd5Does(
      @ForAll String key, @ForAll("hashKeys") BigInteger a, @ForAll("hashKeys") BigInteger b) {
    HashRange range = new HashRange(a.min(b), a.max(b));
    assertThat(owned(range.start(), range.end()).containsPartitionKey(key))
        .isEqualTo(range.contains(hash(key)));
  }

  @Property(tries = 200)
  void rangeOfOneHashKeyHoldsItAndNoNeighbour(@ForAll String key) {
    BigInteger hash = hash(key);
    assertThat(owned(hash, hash).containsPartitionKey(key)).isTrue();
    assertThat(owned(BigInteger.ZERO, hash.subtract(BigInteger.ONE)).containsPartitionKey(key))
        .isFalse();
    assertThat(owned(hash.add(BigInteger.ONE), HashRange.MAX).containsPartitionKey(key)).isFalse();
  }

  @Property(tries = 500)
  void explicitHashKeyBelongsWhereItsNumberDoes(
      @ForAll("hashKeys") BigInteger key,
      @ForAll("hashKeys") BigInteger a,
      @ForAll("hashKeys") BigInteger b) {
    HashRange range = new HashRange(a.min(b), a.max(b));
    OwnedKeys owned = owned(range.start(), range.end());
    assertThat(owned.containsExplicitHashKey(key.toString())).isEqualTo(range.contains(key));
    assertThat(owned.containsExplicitHashKey("00" + key)).isEqualTo(range.contains(key));
  }

  @Example
  void partitionKeyOutsideAsciiIsHashedAsUtf8() {
    // printf '\xc3\xbc' | md5sum
    BigInteger known = new BigInteger("c03410a5204b21cd8229ff754688d743", 16);
    assertThat(owned(known, known).containsPartitionKey("\u00fc")).isTrue();
  }

  @Provide
  Arbitrary<BigInteger> hashKeys() {
    return Arbitraries.bigIntegers().between(BigInteger.ZERO, HashRange.MAX);
  }
}
