package io.cutover.reconcile.verdict;

import io.cutover.kpl.Origin;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One record that differs: a line of {@code differences.jsonl}.
 *
 * @param altered what differs of it; empty unless the kind is ALTERED
 * @param origin absent for a record without one
 * @param arrival in the stream; absent where the stream has no such record
 * @param places where it stands in the topic, in offset order within each partition; empty where it
 *     does not
 */
public record Difference(
    Kind kind,
    Set<Part> altered,
    Optional<Origin> origin,
    Optional<Instant> arrival,
    List<Place> places) {

  /** How a record differs. */
  public enum Kind {
    /** In the stream, not in the topic. */
    MISSING,
    /** Missing, and behind the point where the backfill's reading of its shard stopped. */
    STRAGGLER,
    /** In the topic with an origin of this copy, not in the stream. */
    EXTRA,
    /** In the topic more than once. */
    DOUBLED,
    /** In both, but not the same. */
    ALTERED,
    /** In the topic, within the compared span, without an origin of this copy. */
    WITHOUT_ORIGIN,
    /** Likewise, but with the origin of a copy under another pin. */
    OF_ANOTHER_PIN
  }

  /** What can be altered of a record. */
  public enum Part {
    KEY,
    VALUE,
    TIMESTAMP,
    /** The key does not hash to its partition. */
    PARTITION
  }

  /** Where a record stands in the topic, with its timestamp there. */
  public record Place(int partition, long offset, Instant timestamp) {}

  public Difference {
    altered = Collections.unmodifiableSet(new TreeSet<>(altered));
    places =
        places.stream()
            .sorted(Comparator.comparing(Place::partition).thenComparing(Place::offset))
            .toList();
  }

  /** In one line, for a person. */
  public String line() {
    String what = origin.map(Origin::text).orElse("no origin");
    String where =
        places.stream()
            .map(
                place ->
                    "partition "
                        + place.partition()
                        + " offset "
                        + place.offset()
                        + " of "
                        + place.timestamp())
            .collect(Collectors.joining(", "));
    return what
        + altered.stream()
            .map(part -> part.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ", altered.isEmpty() ? "" : ": ", ""))
        + arrival.map(at -> ", arrived " + at).orElse("")
        + (where.isEmpty() ? "" : ", at " + where);
  }
}
