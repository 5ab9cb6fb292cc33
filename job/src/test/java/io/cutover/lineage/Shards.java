package io.cutover.lineage;

import java.math.BigInteger;
import java.util.List;

/** Shards as listings show them, their hash keys counted in eighths of all. */
final class Shards {

  private static final BigInteger EIGHTH = BigInteger.ONE.shiftLeft(125);

  private Shards() {}

  /** From the one eighth (0 to 7) up to, not including, the other. */
  static HashRange eighths(int from, int to) {
    return new HashRange(
        EIGHTH.multiply(BigInteger.valueOf(from)),
        EIGHTH.multiply(BigInteger.valueOf(to)).subtract(BigInteger.ONE));
  }

  static Shard open(String id, int from, int to, String... parents) {
    return new Shard(id, List.of(parents), eighths(from, to), false);
  }

  static Shard closed(String id, int from, int to, String... parents) {
    return new Shard(id, List.of(parents), eighths(from, to), true);
  }
}
