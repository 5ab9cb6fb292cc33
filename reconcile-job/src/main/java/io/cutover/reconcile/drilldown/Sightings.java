package io.cutover.reconcile.drilldown;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.ArrivedBefore;
import io.cutover.reconcile.side.StreamSide;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which of the records that are met again go on to be paired, and which are named at once. Not
 * thread-safe.
 */
final class Sightings {

  private final Plan plan;
  private final String pinId;
  private final ArrivedBefore arrivedBefore;
  private final Fingerprint.Maker prints = new Fingerprint.Maker();

  Sightings(Plan plan) {
    this.plan = plan;
    this.pinId = plan.pin().id();
    this.arrivedBefore = new ArrivedBefore(plan);
  }

  /** Whether the record is of this copy, and not somebody else's. */
  boolean ofThisCopy(TopicRecord record) {
    return record.isOf(pinId);
  }

  /** A record of the stream; nothing unless it lies in a bucket that differs. */
  Optional<Sighting> inStream(UserRecord user, Targets.Target target) {
    return targeted(target, user.arrivalMillis())
        ? Optional.of(
            new Sighting(
                user.origin(),
                Optional.empty(),
                user.arrivalMillis(),
                true,
                false,
                false,
                prints.of(StreamSide.key(user, plan)),
                prints.of(Optional.of(user.data()))))
        : Optional.empty();
  }

  /**
   * A record of this copy in the topic; nothing unless it lies in a bucket that differs, or may
   * have got out of one.
   */
  Optional<Sighting> inTopic(TopicRecord record, Targets targets) {
    Origin origin = record.origin().orElseThrow();
    Optional<Targets.Target> target = targets.of(origin.shardId());
    boolean targeted = target.map(t -> targeted(t, record.timestamp())).orElse(false);
    boolean perhaps =
        target
            .flatMap(Targets.Target::range)
            .map(range -> range.contains(origin.sequenceNumber()))
            .orElse(false);
    return targeted || perhaps
        ? Optional.of(
            new Sighting(
                origin,
                Optional.of(new Sighting.Spot(record.partition(), record.offset())),
                record.timestamp(),
                targeted,
                misplaced(record),
                arrivedBefore.postdated(record),
                prints.of(record.key()),
                prints.of(record.value())))
        : Optional.empty();
  }

  private boolean targeted(Targets.Target target, long millis) {
    long window = plan.span().windows().index(millis);
    return plan.span().contains(window) && target.has(window);
  }

  /** A record of this copy which is not paired, but tells by itself that it is altered. */
  Optional<Difference> alone(TopicRecord record) {
    Set<Part> altered = EnumSet.noneOf(Part.class);
    if (misplaced(record)) {
      altered.add(Part.PARTITION);
    }
    if (arrivedBefore.postdated(record)) {
      altered.add(Part.TIMESTAMP);
    }
    return altered.isEmpty()
        ? Optional.empty()
        : Optional.of(difference(Kind.ALTERED, altered, record.origin(), record));
  }

  private boolean misplaced(TopicRecord record) {
    return record.misplaced(plan.pin().topic().partitions());
  }

  /** A record that is not this copy's; nothing unless it lies within the compared span. */
  Optional<Difference> foreign(TopicRecord record) {
    if (!plan.span().contains(plan.span().windows().index(record.timestamp()))) {
      return Optional.empty();
    }
    Kind kind = record.isOfAnotherPin(pinId) ? Kind.OF_ANOTHER_PIN : Kind.WITHOUT_ORIGIN;
    return Optional.of(difference(kind, Set.of(), record.origin(), record));
  }

  private static Difference difference(
      Kind kind, Set<Part> altered, Optional<Origin> origin, TopicRecord record) {
    return new Difference(
        kind,
        altered,
        origin,
        Optional.empty(),
        List.of(
            new Difference.Place(
                record.partition(), record.offset(), Instant.ofEpochMilli(record.timestamp()))));
  }
}
