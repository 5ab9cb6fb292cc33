package io.cutover.progress;

import io.cutover.lineage.HashRange;
import io.cutover.lineage.Lineage;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.progress.ShardReached.Stage;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * How much of [start, T) a copy has passed, from how far it is in each shard.
 *
 * <p>At each instant each of the 2^128 hash keys belongs to exactly one shard. The keys are cut
 * into slices that no shard divides; a slice stands at the latest arrival read from any shard that
 * owned it, at T when one of them is done; the share is the mean over all keys. So a child that is
 * read implies its parents, and a split or a merge changes nothing.
 *
 * <p>Never goes back: what is heard is added to what was known, so that a restart, which reads a
 * little again, shows as a standstill. A shard that was pinned without children and is closed now
 * was split or merged after the pin, hence after T: it is done. Shards that were not pinned are
 * counted, but all they hold lies after T.
 *
 * <p>Plain arithmetic, used on the client by one thread.
 */
final class CopyPosition {

  private static final double ALL_KEYS = HashRange.ALL.size().doubleValue();

  private final Lineage lineage;
  private final long firstMillis;
  private final long boundaryMillis;
  private final BigInteger[] cuts;

  /** For each slice, where the oldest record stood when it was pinned. */
  private final long[] oldestMillis;

  private final Map<String, ShardReached> reached = new HashMap<>();

  CopyPosition(Pin pin) {
    this.lineage = pin.lineage();
    this.boundaryMillis = pin.boundary().toEpochMilli();
    this.firstMillis = pin.oldestArrival().orElse(pin.start()).toEpochMilli();
    TreeSet<BigInteger> edges = new TreeSet<>(List.of(BigInteger.ZERO, HashRange.ALL.size()));
    for (Shard shard : pin.shards()) {
      edges.add(shard.range().start());
      edges.add(shard.range().end().add(BigInteger.ONE));
    }
    this.cuts = edges.toArray(BigInteger[]::new);
    this.oldestMillis = oldest(pin);
  }

  private long[] oldest(Pin pin) {
    long[] oldest = new long[cuts.length - 1];
    Arrays.fill(oldest, firstMillis);
    for (Pin.OldestArrival root : pin.oldest()) {
      lineage
          .shard(root.shard())
          .ifPresent(
              shard ->
                  root.arrival()
                      .ifPresent(
                          arrival -> raise(oldest, shard.range(), unread(arrival.toEpochMilli()))));
    }
    return oldest;
  }

  private void raise(long[] slices, HashRange range, long millis) {
    int end = slice(range.end().add(BigInteger.ONE));
    for (int i = slice(range.start()); i < end; i++) {
      slices[i] = Math.max(slices[i], millis);
    }
  }

  /** A place behind which there may be more: arrival is not monotonic, so it is never T itself. */
  private long unread(long millis) {
    return Math.min(millis, boundaryMillis - 1);
  }

  private int slice(BigInteger edge) {
    return Arrays.binarySearch(cuts, edge);
  }

  void heard(Map<String, ShardReached> positions) {
    positions.forEach((shard, far) -> reached.merge(shard, far, ShardReached::furthest));
  }

  /** Between 0, when nothing was read, and 1, when every shard is done. */
  double share() {
    long[] read = read(new long[cuts.length - 1]);
    double left = 0;
    for (int i = 0; i < read.length; i++) {
      left += cuts[i + 1].subtract(cuts[i]).doubleValue() / ALL_KEYS * left(read[i]);
    }
    return Math.max(0, 1 - left);
  }

  private double left(long millis) {
    if (millis >= boundaryMillis) {
      return 0;
    }
    return millis <= firstMillis
        ? 1
        : (boundaryMillis - millis) / (double) (boundaryMillis - firstMillis);
  }

  /** The earliest place at which something may be unread; nothing when every shard is done. */
  Optional<Instant> frontier() {
    long earliest = Arrays.stream(read(oldestMillis.clone())).min().orElse(boundaryMillis);
    return earliest < boundaryMillis
        ? Optional.of(Instant.ofEpochMilli(earliest))
        : Optional.empty();
  }

  private long[] read(long[] slices) {
    reached.forEach(
        (id, far) ->
            lineage
                .shard(id)
                .ifPresent(
                    shard ->
                        raise(
                            slices,
                            shard.range(),
                            isDone(shard, far) ? boundaryMillis : unread(far.arrivalMillis()))));
    return slices;
  }

  private boolean isDone(Shard shard, ShardReached far) {
    return far.stage() == Stage.DONE
        || (far.stage() == Stage.CLOSED && lineage.children(shard.id()).isEmpty());
  }

  /** Shards known so far that are at their end. */
  int shardsDone() {
    return (int) reached.values().stream().filter(far -> far.stage() != Stage.READ).count();
  }

  /** All shards known so far. */
  int shards() {
    return lineage.ids().size()
        + (int) reached.keySet().stream().filter(id -> lineage.shard(id).isEmpty()).count();
  }
}
