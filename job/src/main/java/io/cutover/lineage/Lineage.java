package io.cutover.lineage;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The family tree of a stream's shards, as one complete listing or the union of several showed it.
 *
 * <p>A parent that was never listed had expired before anyone looked: it constrains nothing.
 */
public final class Lineage {

  private final Map<String, Shard> shards;
  private final Map<String, List<Shard>> children = new HashMap<>();

  private Lineage(Map<String, Shard> shards) {
    this.shards = shards;
    for (Shard shard : shards.values()) {
      for (String parent : shard.parents()) {
        children.computeIfAbsent(parent, p -> new ArrayList<>()).add(shard);
      }
    }
  }

  /** Nothing seen yet. */
  public static Lineage empty() {
    return new Lineage(Map.of());
  }

  public static Lineage of(Collection<Shard> listing) {
    return empty().with(listing);
  }

  /**
   * This lineage and what a later listing shows: shards are added and may close, nothing else.
   *
   * @throws Refusal when a known shard comes with other parents, another range, or open again
   */
  public Lineage with(Collection<Shard> listing) {
    Map<String, Shard> union = new LinkedHashMap<>(shards);
    for (Shard shard : listing) {
      Shard known = union.put(shard.id(), shard);
      if (known != null) {
        checkSame(known, shard);
      }
    }
    return new Lineage(union);
  }

  private static void checkSame(Shard known, Shard listed) {
    boolean same =
        known.parents().equals(listed.parents())
            && known.range().equals(listed.range())
            && (listed.closed() || !known.closed());
    if (!same) {
      throw new Refusal(
          Reason.SHARD_CHANGED,
          "shard "
              + known.id()
              + " changed between two listings: it was "
              + known
              + " and is now "
              + listed
              + ". A shard's parents and range never change, so this is not the stream that was"
              + " read before: check whether it was deleted and created again, and pin anew");
    }
  }

  /** All shards, in the order in which they were first listed. */
  public Collection<Shard> shards() {
    return shards.values();
  }

  public Set<String> ids() {
    return shards.keySet();
  }

  public Optional<Shard> shard(String id) {
    return Optional.ofNullable(shards.get(id));
  }

  /** The parents that are themselves in this lineage: those that must be read before the shard. */
  public List<Shard> listedParents(Shard shard) {
    return shard.parents().stream().map(shards::get).filter(p -> p != null).toList();
  }

  public List<Shard> children(String id) {
    return children.getOrDefault(id, List.of());
  }

  /** Whether the children listed so far own every hash key that the shard owned. */
  public boolean childrenCover(Shard parent) {
    List<HashRange> ranges =
        children(parent.id()).stream()
            .map(Shard::range)
            .sorted(Comparator.comparing(HashRange::start))
            .toList();
    BigInteger next = parent.range().start();
    for (HashRange range : ranges) {
      if (range.start().compareTo(next) <= 0 && range.end().compareTo(next) >= 0) {
        next = range.end().add(BigInteger.ONE);
      }
    }
    return next.compareTo(parent.range().end()) > 0;
  }

  /** Whether the shards that are nobody's parent own each of the 2^128 hash keys exactly once. */
  public boolean leavesTile() {
    List<HashRange> leaves =
        shards.values().stream()
            .filter(s -> children(s.id()).isEmpty())
            .map(Shard::range)
            .sorted(Comparator.comparing(HashRange::start))
            .toList();
    BigInteger next = BigInteger.ZERO;
    for (HashRange leaf : leaves) {
      if (!leaf.start().equals(next)) {
        return false;
      }
      next = leaf.end().add(BigInteger.ONE);
    }
    return next.equals(HashRange.MAX.add(BigInteger.ONE));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Lineage that && shards.equals(that.shards);
  }

  @Override
  public int hashCode() {
    return shards.hashCode();
  }

  @Override
  public String toString() {
    return shards.values().toString();
  }
}
