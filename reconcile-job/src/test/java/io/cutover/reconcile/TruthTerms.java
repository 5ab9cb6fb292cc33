package io.cutover.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is compared, and against what.
 *
 * @param from the start of a window; absent where nothing is too early
 * @param to T, or the end of a window
 * @param keyed whether the copy carries keys
 * @param parents of every shard, by its id
 * @param behindTheStop origins that reached the stream behind the point where the backfill's
 *     reading of their shard stopped
 */
record TruthTerms(
    String pinId,
    Optional<Instant> from,
    Instant to,
    Instant boundary,
    Duration window,
    int partitions,
    boolean keyed,
    Map<String, List<String>> parents,
    Set<String> behindTheStop,
    Optional<Tolerance> tolerance) {

  boolean compares(Instant instant) {
    return instant.isBefore(to) && from.map(start -> !instant.isBefore(start)).orElse(true);
  }

  Instant windowOf(Instant instant) {
    long before = Duration.between(instant, boundary).toMillis();
    long length = window.toMillis();
    // T itself begins the first window behind it.
    long windows = before > 0 ? (before + length - 1) / length : -(-before / length);
    return boundary.minus(window.multipliedBy(windows));
  }

  TruthTerms tolerating(long floor, long ppm) {
    return new TruthTerms(
        pinId,
        from,
        to,
        boundary,
        window,
        partitions,
        keyed,
        parents,
        behindTheStop,
        Optional.of(new Tolerance(floor, ppm)));
  }

  TruthTerms between(Instant newFrom, Instant newTo) {
    return new TruthTerms(
        pinId,
        Optional.of(newFrom),
        newTo,
        boundary,
        window,
        partitions,
        keyed,
        parents,
        behindTheStop,
        tolerance);
  }

  /** How many of a million Kinesis records may be missing or extra, and how many at least. */
  record Tolerance(long floor, long ppm) {
    long allowed(long kinesis) {
      long share = kinesis * ppm / 1_000_000;
      return Math.max(floor, share * 1_000_000 == kinesis * ppm ? share : share + 1);
    }
  }
}
