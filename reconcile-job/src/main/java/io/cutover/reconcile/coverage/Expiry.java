package io.cutover.reconcile.coverage;

import io.cutover.lineage.EndReason;
import io.cutover.pin.Pin;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a shard may have left the listing by expiring. The stream lists a shard as long as it is
 * open, and then until the horizon has passed both its closing and its last record. Neither is
 * known exactly, but an instant is that they do not lie before: the latest of
 *
 * <ul>
 *   <li>the arrivals that pin and report have of it;
 *   <li>T, where it was open then or opened later: the pin says so, or does not know it, or its
 *       reading ended with BOUNDARY or UNREAD;
 *   <li>the backfill start, where it was pinned: it had not expired by then;
 *   <li>the same of its parents, where it held no record: it was opened when they were closed.
 * </ul>
 *
 * <p>Only while the horizon is not later than that has a shard that is not listed gone missing. A
 * shard of which nothing later is known held nothing that could be lost.
 */
final class Expiry {

  private final Family family;
  private final Pin pin;
  private final Map<String, Instant> lasts = new HashMap<>();

  Expiry(Family family, Pin pin) {
    this.family = family;
    this.pin = pin;
  }

  /** An instant before which the shard cannot have begun to expire whole. */
  Instant listedUntil(KnownShard shard) {
    Instant known = lasts.get(shard.id());
    if (known != null) {
      return known;
    }
    lasts.put(shard.id(), pin.start());
    Instant latest =
        Stream.of(arrivals(shard), openAtT(shard), Stream.of(pin.start()))
            .flatMap(instants -> instants)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    if (arrivals(shard).findAny().isEmpty()) {
      for (KnownShard parent : family.parents(shard)) {
        latest = later(latest, listedUntil(parent));
      }
    }
    lasts.put(shard.id(), latest);
    return latest;
  }

  private Stream<Instant> arrivals(KnownShard shard) {
    Stream<Instant> read =
        shard.reported().stream()
            .flatMap(Expiry::marks)
            .map(mark -> Instant.ofEpochMilli(mark.arrivalMillis()));
    Stream<Instant> probed =
        pin.oldest().stream()
            .filter(oldest -> oldest.shard().equals(shard.id()))
            .flatMap(oldest -> oldest.arrival().stream());
    return Stream.concat(read, probed);
  }

  private static Stream<Mark> marks(ReportedShard shard) {
    return Stream.of(shard.first(), shard.last(), shard.firstSkipped()).flatMap(Optional::stream);
  }

  private Stream<Instant> openAtT(KnownShard shard) {
    // A TIP alone does not say so: of a closed shard, too, a server may only say that it is empty.
    boolean open =
        shard.openAtBoundary()
            || !shard.pinnedClosed()
            || shard.stop().map(EndReason::descendantsLieAfterBoundary).orElse(false);
    return open ? Stream.of(pin.boundary()) : Stream.empty();
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** The shards of pin and report that are not listed, though they cannot have expired. */
  List<KnownShard> missing(Collection<KnownShard> shards, Instant horizon) {
    return shards.stream()
        .filter(shard -> shard.listed().isEmpty() && !horizon.isAfter(listedUntil(shard)))
        .toList();
  }
}
