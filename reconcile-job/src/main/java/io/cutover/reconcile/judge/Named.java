package io.cutover.reconcile.judge;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.BucketKey;
import io.cutover.reconcile.drilldown.ShardRead;
import io.cutover.reconcile.drilldown.Targets;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import io.cutover.reconcile.verdict.Difference.Place;
import io.cutover.tally.Tally;
import io.cutover.tally.Windows;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the named records come to, by window and by bucket. A record of the topic is extra only
 * where it is certain that the stream had no such record: what had expired when it was looked for
 * again stays unnamed. Its memory grows with the buckets that differ, not with records.
 */
final class Named {

  /** Records of one window. */
  record Counts(long missing, long extra, long altered) {

    static final Counts NONE = new Counts(0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(missing + other.missing, extra + other.extra, altered + other.altered);
    }
  }

  private final Windows windows;
  private final Map<BucketKey, Bucket> differing = new HashMap<>();
  private final Map<String, ShardRead> reads = new HashMap<>();
  private final Map<Long, Counts> byWindow = new TreeMap<>();
  private final Map<BucketKey, Long> kafkaLessKinesis = new HashMap<>();
  private final Set<BucketKey> touched = new HashSet<>();
  private long misplacedOnly;

  Named(Windows windows, List<Bucket> differing, Collection<ShardRead> reads) {
    this.windows = windows;
    differing.forEach(bucket -> this.differing.put(bucket.key(), bucket));
    reads.forEach(read -> this.reads.put(read.shard(), read));
  }

  /**
   * Takes a difference in.
   *
   * @return as it is to be told; nothing when it is not certain to be one
   */
  Optional<Difference> take(Difference found) {
    if (found.kind() == Kind.EXTRA && !certainlyExtra(found)) {
      return found.places().size() > 1 ? Optional.of(doubled(found)) : Optional.empty();
    }
    switch (found.kind()) {
      case MISSING, STRAGGLER -> {
        count(window(found), new Counts(1, 0, 0));
        kinesisHas(found);
      }
      case EXTRA -> {
        found.places().forEach(place -> count(window(place), new Counts(0, 1, 0)));
        found.places().forEach(place -> kafkaHas(found, place));
      }
      case DOUBLED, ALTERED -> paired(found);
      case WITHOUT_ORIGIN, OF_ANOTHER_PIN -> {
        // Counted when the topic was read; no bucket holds them.
      }
    }
    return Optional.of(found);
  }

  private void paired(Difference found) {
    boolean placeOnly = found.altered().equals(Set.of(Part.PARTITION));
    if (placeOnly) {
      misplacedOnly++;
    }
    if (found.kind() == Kind.ALTERED) {
      count(window(found), new Counts(0, 0, 1));
    }
    if (found.arrival().isEmpty() || placeOnly && found.places().size() == 1) {
      return;
    }
    count(window(found), new Counts(0, found.places().size() - 1L, 0));
    kinesisHas(found);
    found.places().forEach(place -> kafkaHas(found, place));
  }

  /** Of a record that the stream no longer shows: it was there once, as the counts say. */
  private Difference doubled(Difference found) {
    Place first = found.places().get(0);
    count(window(first), new Counts(0, found.places().size() - 1L, 0));
    found.places().subList(1, found.places().size()).forEach(place -> kafkaHas(found, place));
    return new Difference(Kind.DOUBLED, Set.of(), found.origin(), Optional.empty(), found.places());
  }

  private boolean certainlyExtra(Difference found) {
    Origin origin = found.origin().orElseThrow();
    return found.places().stream()
        .map(place -> new BucketKey(origin.shardId(), window(place)))
        .filter(differing::containsKey)
        .allMatch(key -> streamHasNot(differing.get(key), origin));
  }

  private boolean streamHasNot(Bucket bucket, Origin origin) {
    String sequence = origin.sequenceNumber();
    boolean within =
        bucket.kinesis().map(tally -> Targets.Range.of(tally).contains(sequence)).orElse(false);
    return !within || shownFrom(origin.shardId(), sequence);
  }

  /** Whether the stream still showed everything from this record of the shard on. */
  private boolean shownFrom(String shard, String sequence) {
    return Optional.ofNullable(reads.get(shard))
        .filter(read -> read.failure().isEmpty())
        .flatMap(ShardRead::first)
        .map(first -> Tally.compareSequences(first, sequence) <= 0)
        .orElse(false);
  }

  private long window(Difference found) {
    return found
        .arrival()
        .map(arrival -> windows.index(arrival.toEpochMilli()))
        .orElseGet(() -> window(found.places().get(0)));
  }

  private long window(Place place) {
    return windows.index(place.timestamp().toEpochMilli());
  }

  private void count(long window, Counts counts) {
    byWindow.merge(window, counts, Counts::plus);
  }

  private void kinesisHas(Difference found) {
    found.arrival().ifPresent(arrival -> add(found, windows.index(arrival.toEpochMilli()), -1));
  }

  private void kafkaHas(Difference found, Place place) {
    add(found, window(place), 1);
  }

  private void add(Difference found, long window, long change) {
    BucketKey key = new BucketKey(found.origin().orElseThrow().shardId(), window);
    if (differing.containsKey(key)) {
      kafkaLessKinesis.merge(key, change, Long::sum);
      touched.add(key);
    }
  }

  Map<Long, Counts> byWindow() {
    return byWindow;
  }

  Counts total() {
    return byWindow.values().stream().reduce(Counts.NONE, Counts::plus);
  }

  /** Altered records of which nothing is but the partition. */
  long misplacedOnly() {
    return misplacedOnly;
  }

  /**
   * Whether the named records are all by which a bucket that differs does so. Never where the
   * stream did not show all of it again: what is missing there and what is extra cannot all be
   * named, and may cancel in the counts.
   */
  boolean explains(Bucket bucket) {
    boolean shown =
        bucket.kinesis().map(t -> shownFrom(bucket.key().shard(), t.lowest())).orElse(true);
    long kinesis = Bucket.count(bucket.kinesis()).records();
    long kafka = Bucket.count(bucket.kafka()).records();
    return shown
        && touched.contains(bucket.key())
        && kinesis + kafkaLessKinesis.getOrDefault(bucket.key(), 0L) == kafka;
  }
}
