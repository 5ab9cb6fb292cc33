package io.cutover.reconcile.coverage;

import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Arithmetic on who owns which hash keys. */
final class KeyTiling {

  private static final BigInteger KEYS = HashRange.MAX.add(BigInteger.ONE);

  /** Hash keys and the shard that owns them. */
  record Owned(HashRange range, String shard) {}

  private KeyTiling() {}

  /**
   * Where some shards do not own each of the 2^128 hash keys exactly once: every hole and every
   * overlap in a few words, with its hash keys. Empty where they do.
   */
  static List<String> faults(Collection<Owned> owners) {
    List<String> faults = new ArrayList<>();
    BigInteger next = BigInteger.ZERO;
    Optional<Owned> farthest = Optional.empty();
    for (Owned owned : sorted(owners)) {
      if (owned.range().start().compareTo(next) > 0) {
        faults.add(hole(next, owned.range().start()));
      } else if (farthest.isPresent() && owned.range().start().compareTo(next) < 0) {
        faults.add(overlap(farthest.get(), owned));
      }
      if (owned.range().end().compareTo(next) >= 0) {
        next = owned.range().end().add(BigInteger.ONE);
        farthest = Optional.of(owned);
      }
    }
    if (next.compareTo(KEYS) < 0) {
      faults.add(hole(next, KEYS));
    }
    return faults;
  }

  private static List<Owned> sorted(Collection<Owned> owners) {
    return owners.stream()
        .sorted(Comparator.comparing((Owned o) -> o.range().start()).thenComparing(Owned::shard))
        .toList();
  }

  private static String hole(BigInteger from, BigInteger to) {
    return "no shard owns hash keys " + text(new HashRange(from, to.subtract(BigInteger.ONE)));
  }

  private static String overlap(Owned one, Owned other) {
    HashRange both =
        new HashRange(other.range().start(), one.range().end().min(other.range().end()));
    return one.shard() + " and " + other.shard() + " both own hash keys " + text(both);
  }

  /** Whether the parts together own every hash key of the whole, perhaps others too. */
  static boolean covers(Collection<HashRange> parts, HashRange whole) {
    BigInteger next = whole.start();
    List<HashRange> sorted = parts.stream().sorted(Comparator.comparing(HashRange::start)).toList();
    for (HashRange part : sorted) {
      if (part.start().compareTo(next) <= 0) {
        next = next.max(part.end().add(BigInteger.ONE));
      }
    }
    return next.compareTo(whole.end()) > 0;
  }

  static String text(HashRange range) {
    return "[" + range.start() + ", " + range.end() + "]";
  }
}
