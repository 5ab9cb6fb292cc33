package io.cutover.tally;

import java.math.BigInteger;

/**
 * What is known of one window of one shard on one side. Two tallies of different records add up to
 * the tally of all of them, in whatever order.
 *
 * @param count user records, at least 1
 * @param bytes of their values
 * @param high the upper 64 bits of the sum, modulo 2^128, of their digests
 * @param low the lower 64 bits
 * @param lowest sequence number, decimal digits
 * @param highest sequence number, decimal digits
 */
public record Tally(long count, long bytes, long high, long low, String lowest, String highest) {

  /** The sum of the digests in 32 hexadecimal digits. */
  public String digest() {
    return "%016x%016x".formatted(high, low);
  }

  public Tally plus(Tally other) {
    long sumLow = low + other.low;
    long carry = Long.compareUnsigned(sumLow, low) < 0 ? 1 : 0;
    return new Tally(
        Math.addExact(count, other.count),
        Math.addExact(bytes, other.bytes),
        high + other.high + carry,
        sumLow,
        compareSequences(lowest, other.lowest) <= 0 ? lowest : other.lowest,
        compareSequences(highest, other.highest) >= 0 ? highest : other.highest);
  }

  /**
   * Sequence numbers as the big integers they are; of numbers without leading zeros the longer one
   * is the larger.
   */
  public static int compareSequences(String a, String b) {
    if (a.startsWith("0") || b.startsWith("0")) {
      return new BigInteger(a).compareTo(new BigInteger(b));
    }
    return a.length() == b.length() ? a.compareTo(b) : Integer.compare(a.length(), b.length());
  }
}
