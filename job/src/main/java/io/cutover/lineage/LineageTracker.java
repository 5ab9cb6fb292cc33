package io.cutover.lineage;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Decides which shard may be read when, and when the whole lineage is done. Knows nothing of Flink;
 * it is driven by one thread, the enumerator's on the JobManager.
 *
 * <p>A shard goes from waiting to reading to ended to covered. <i>Ended</i> means handed to the
 * producer by one subtask, <i>covered</i> that a completed checkpoint holds that end, so that its
 * records are in the topic's log.
 *
 * <p>Refuses (throws {@link Refusal}) when a shard that was still to be read vanishes, and when a
 * known shard changes.
 */
public final class LineageTracker {

  /** A shard that may be read now. */
  public sealed interface Released {
    Shard shard();

    /** To be read, by whichever subtask is least busy. */
    record ToAny(Shard shard) implements Released {}

    /** To be read, but only by this subtask: its parents' records are on their way there. */
    record ToSubtask(Shard shard, int subtask) implements Released {}

    /** To be entered in the ledger as unread, by any subtask. */
    record Unread(Shard shard) implements Released {}
  }

  /** The stage of a shard. */
  public sealed interface Status {
    record Waiting() implements Status {}

    record Reading() implements Status {}

    /** Ended on a subtask, not yet held by a completed checkpoint. */
    record Ended(EndReason reason, int subtask) implements Status {}

    record Covered(EndReason reason) implements Status {}
  }

  private static final Status WAITING = new Status.Waiting();
  private static final Status READING = new Status.Reading();

  private final ReleasePolicy policy;
  private final Map<String, Status> statuses = new LinkedHashMap<>();

  /** Ended shards for which no listing was begun after their end. */
  private final Set<String> unlistedSinceEnd = new HashSet<>();

  /** Known shards that the last listing did not show: they were closed, and have expired. */
  private final Set<String> gone = new HashSet<>();

  private Lineage lineage = Lineage.empty();

  public LineageTracker(ReleasePolicy policy) {
    this.policy = policy;
  }

  /** Begins with shards that must show in the first listing, or have vanished. */
  public static LineageTracker of(ReleasePolicy policy, Collection<Shard> pinned) {
    LineageTracker tracker = new LineageTracker(policy);
    tracker.lineage = Lineage.of(pinned);
    tracker.lineage.ids().forEach(id -> tracker.statuses.put(id, WAITING));
    return tracker;
  }

  /**
   * Takes a tracker up where a checkpoint left it. What had ended is covered by that checkpoint:
   * the readers' part of it was taken later than the enumerator's.
   */
  public static LineageTracker restored(
      ReleasePolicy policy, Lineage lineage, Map<String, Status> statuses) {
    LineageTracker tracker = new LineageTracker(policy);
    tracker.lineage = lineage;
    for (Shard shard : lineage.shards()) {
      Status status = Optional.ofNullable(statuses.get(shard.id())).orElse(WAITING);
      tracker.statuses.put(shard.id(), covered(status));
      tracker.endReason(shard.id()).ifPresent(r -> tracker.unlistedSinceEnd.add(shard.id()));
    }
    return tracker;
  }

  private static Status covered(Status status) {
    return status instanceof Status.Ended ended ? new Status.Covered(ended.reason()) : status;
  }

  public Lineage lineage() {
    return lineage;
  }

  public Map<String, Status> statuses() {
    return new LinkedHashMap<>(statuses);
  }

  /** The shards whose ends lie before a listing that begins now; to be given to {@link #learn}. */
  public Set<String> endedSoFar() {
    return Set.copyOf(unlistedSinceEnd);
  }

  /**
   * Takes in one complete listing.
   *
   * @param endedBefore what {@link #endedSoFar} said when the listing began
   */
  public void learn(Collection<Shard> listing, Set<String> endedBefore) {
    lineage = lineage.with(listing);
    lineage.ids().forEach(id -> statuses.putIfAbsent(id, WAITING));
    unlistedSinceEnd.removeAll(endedBefore);
    Set<String> listed = new HashSet<>();
    listing.forEach(shard -> listed.add(shard.id()));
    gone.clear();
    gone.addAll(lineage.ids());
    gone.removeAll(listed);
    for (Shard shard : lineage.shards()) {
      if (!listed.contains(shard.id()) && statuses.get(shard.id()).equals(WAITING)) {
        throw new Refusal(
            Reason.SHARD_VANISHED,
            "shard "
                + shard.id()
                + " vanished before it was read: it was listed earlier, and no listing shows it now."
                + " All of its records are lost to the reading (retention passed it, or the stream"
                + " was deleted). Raise the stream's retention"
                + (policy == ReleasePolicy.ORDERED
                    ? ", pin anew with another cutover.dir and an empty topic, and begin again"
                    : " and run this again"));
      }
    }
  }

  /** The shards that may be given out now, in lineage order. */
  public List<Released> release() {
    List<Released> released = new ArrayList<>();
    for (Shard shard : lineage.shards()) {
      if (statuses.get(shard.id()).equals(WAITING)) {
        releasable(shard).ifPresent(released::add);
      }
    }
    return released;
  }

  private Optional<Released> releasable(Shard shard) {
    List<Shard> parents = lineage.listedParents(shard);
    boolean afterBoundary =
        parents.stream()
            .anyMatch(
                p -> endReason(p.id()).map(EndReason::descendantsLieAfterBoundary).orElse(false));
    if (afterBoundary) {
      return Optional.of(new Released.Unread(shard));
    }
    if (policy == ReleasePolicy.UNORDERED) {
      return Optional.of(new Released.ToAny(shard));
    }
    OptionalInt only = OptionalInt.empty();
    for (Shard parent : parents) {
      Status status = statuses.get(parent.id());
      if (status instanceof Status.Ended ended) {
        if (only.isPresent() && only.getAsInt() != ended.subtask()) {
          return Optional.empty();
        }
        only = OptionalInt.of(ended.subtask());
      } else if (!(status instanceof Status.Covered)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        only.isPresent()
            ? new Released.ToSubtask(shard, only.getAsInt())
            : new Released.ToAny(shard));
  }

  public void assigned(String id) {
    known(id);
    statuses.put(id, READING);
  }

  /** The shard's last record was handed over on this subtask. A repeated report changes nothing. */
  public void ended(String id, EndReason reason, int subtask) {
    if (endReason(known(id)).isEmpty()) {
      statuses.put(id, new Status.Ended(reason, subtask));
      unlistedSinceEnd.add(id);
    }
  }

  /** A completed checkpoint holds the shard's end. */
  public void covered(String id, EndReason reason) {
    if (endReason(known(id)).isEmpty()) {
      unlistedSinceEnd.add(id);
    }
    statuses.put(id, new Status.Covered(reason));
  }

  /** The assignment did not survive: the shard is to be given out again. */
  public void givenBack(String id) {
    statuses.put(known(id), WAITING);
    unlistedSinceEnd.remove(id);
  }

  /** The subtask starts over from its last checkpoint: what it had ended since, it reads again. */
  public void subtaskReset(int subtask) {
    statuses.replaceAll(
        (id, status) -> {
          if (status instanceof Status.Ended ended && ended.subtask() == subtask) {
            unlistedSinceEnd.remove(id);
            return READING;
          }
          return status;
        });
  }

  private String known(String id) {
    if (!statuses.containsKey(id)) {
      throw new IllegalStateException(
          "shard " + id + " is not in the lineage, which has " + statuses.keySet());
    }
    return id;
  }

  private Optional<EndReason> endReason(String id) {
    Status status = statuses.get(id);
    if (status instanceof Status.Ended ended) {
      return Optional.of(ended.reason());
    }
    return status instanceof Status.Covered covered
        ? Optional.of(covered.reason())
        : Optional.empty();
  }

  /** Whether any shard is out with a reader. */
  public boolean reading() {
    return statuses.containsValue(READING);
  }

  /**
   * The shards that have ended but whose children are not known yet: closed ones without children
   * that own all of their keys, and ones that ended at the tip before the last listing began.
   */
  public Set<String> awaitingChildren() {
    Set<String> awaiting = new HashSet<>();
    for (Shard shard : lineage.shards()) {
      if (endReason(shard.id()).map(reason -> awaits(shard, reason)).orElse(false)) {
        awaiting.add(shard.id());
      }
    }
    return awaiting;
  }

  private boolean awaits(Shard shard, EndReason reason) {
    return switch (reason) {
      case BOUNDARY, UNREAD -> false;
      case CLOSED -> !lineage.childrenCover(shard);
      // Read to its end after T + slack. If the listing since shows it closed, it may have been
      // closed before T, and its children hold records from before T as well.
      case TIP ->
          unlistedSinceEnd.contains(shard.id())
              || ((shard.closed() || gone.contains(shard.id())) && !lineage.childrenCover(shard));
    };
  }

  /** Whether every shard has ended, safely for the policy, and no children are to come. */
  public boolean done() {
    return !lineage.ids().isEmpty()
        && statuses.values().stream().allMatch(this::finalStatus)
        && awaitingChildren().isEmpty();
  }

  private boolean finalStatus(Status status) {
    return status instanceof Status.Covered
        || (policy == ReleasePolicy.UNORDERED && status instanceof Status.Ended);
  }
}
