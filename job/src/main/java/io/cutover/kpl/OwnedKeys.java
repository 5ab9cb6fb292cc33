package io.cutover.kpl;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Which keys route to a shard. Kinesis takes the explicit hash key, else the MD5 of the partition
 * key's UTF-8 bytes, as an unsigned 128-bit number.
 */
final class OwnedKeys {

  private static final int BYTES = 16;
  private static final int MAX_DIGITS = HashRange.MAX.toString().length();

  private final HashRange range;
  private final MessageDigest md5;
  // Compared as bytes, because a big integer per key would be paid for on every member.
  private final byte[] start;
  private final byte[] end;

  OwnedKeys(HashRange range, MessageDigest md5) {
    this.range = range;
    this.md5 = md5;
    this.start = unsigned(range.start());
    this.end = unsigned(range.end());
  }

  boolean containsPartitionKey(String partitionKey) {
    byte[] hash = md5.digest(partitionKey.getBytes(UTF_8));
    return Arrays.compareUnsigned(start, hash) <= 0 && Arrays.compareUnsigned(hash, end) <= 0;
  }

  /** False, too, for text that is no decimal number: it routes nowhere. */
  boolean containsExplicitHashKey(String explicitHashKey) {
    int length = explicitHashKey.length();
    if (length == 0 || !explicitHashKey.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return false;
    }
    int leadingZeros = 0;
    while (leadingZeros < length - 1 && explicitHashKey.charAt(leadingZeros) == '0') {
      leadingZeros++;
    }
    // Counted first: megabytes of digits would take a big integer minutes.
    return length - leadingZeros <= MAX_DIGITS
        && range.contains(new BigInteger(explicitHashKey.substring(leadingZeros)));
  }

  private static byte[] unsigned(BigInteger number) {
    byte[] signed = number.toByteArray();
    byte[] unsigned = new byte[BYTES];
    int length = Math.min(signed.length, BYTES);
    System.arraycopy(signed, signed.length - length, unsigned, BYTES - length, length);
    return unsigned;
  }
}
