package io.cutover.lineage;

import java.io.Serializable;
import java.math.BigInteger;

/**
 * The span of 128-bit hash keys that a shard owns, both ends included.
 *
 * @param start at least 0
 * @param end at most 2^128 - 1, not below start
 */
public record HashRange(BigInteger start, BigInteger end) implements Serializable {

  /** The largest hash key, 2^128 - 1. */
  public static final BigInteger MAX = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);

  /** All hash keys. */
  public static final HashRange ALL = new HashRange(BigInteger.ZERO, MAX);

  public HashRange {
    if (start.signum() < 0 || end.compareTo(MAX) > 0 || start.compareTo(end) > 0) {
      throw new IllegalArgumentException(
          "a hash range lies within [0, 2^128 - 1] and does not end before it starts, but is ["
              + start
              + ", "
              + end
              + "]");
    }
  }

  public boolean contains(BigInteger hashKey) {
    return start.compareTo(hashKey) <= 0 && hashKey.compareTo(end) <= 0;
  }

  /** The number of hash keys in the range. */
  public BigInteger size() {
    return end.subtract(start).add(BigInteger.ONE);
  }
}
