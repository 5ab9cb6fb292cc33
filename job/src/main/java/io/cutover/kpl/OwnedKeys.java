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

  private final MessageDigest md5;
  // Compared as bytes and digits: a big integer per key would be paid for on every member.
  private final byte[] start;
  private final byte[] end;
  private final String startDigits;
  private final String endDigits;

  OwnedKeys(HashRange range, MessageDigest md5) {
    this.md5 = md5;
    this.start = unsigned(range.start());
    this.end = unsigned(range.end());
    this.startDigits = range.start().toString();
    this.endDigits = range.end().toString();
  }

  boolean containsPartitionKey(String partitionKey) {
    byte[] hash = md5.digest(partitionKey.getBytes(UTF_8));
    return Arrays.compareUnsigned(start, hash) <= 0 && Arrays.compareUnsigned(hash, end) <= 0;
  }

  /** False, too, for text that is no decimal number: it routes nowhere. */
  boolean containsExplicitHashKey(String explicitHashKey) {
    int length = explicitHashKey.length();
    int leadingZeros = 0;
    while (leadingZeros < length - 1 && explicitHashKey.charAt(leadingZeros) == '0') {
      leadingZeros++;
    }
    String digits = explicitHashKey.substring(leadingZeros);
    return isDigits(digits) && compare(startDigits, digits) <= 0 && compare(digits, endDigits) <= 0;
  }

  private static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
    }
    return true;
  }

  /**
   * By number, for digits without leading zeros; no digits at all stand below every number. Of
   * megabytes of them no number is made.
   */
  private static int compare(String a, String b) {
    return a.length() == b.length() ? a.compareTo(b) : Integer.compare(a.length(), b.length());
  }

  private static byte[] unsigned(BigInteger number) {
    byte[] signed = number.toByteArray();
    byte[] unsigned = new byte[BYTES];
    int length = Math.min(signed.length, BYTES);
    System.arraycopy(signed, signed.length - length, unsigned, BYTES - length, length);
    return unsigned;
  }
}
