package io.cutover.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.lineage.LineageTracker.Released;
import io.cutover.lineage.LineageTracker.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Readers, checkpoints and losses around a tracker, as Flink would bring them, in random order.
 * What it asserts it knows from its readers and checkpoints, not from the tracker.
 */
final class SimulatedCopy {

  /** What one subtask holds; copied into a checkpoint. */
  private static final class Reader {
    final Set<String> reading = new TreeSet<>();
    final Map<String, EndReason> ended = new HashMap<>();
    final Set<String> uncovered = new HashSet<>();

    Reader copy() {
      Reader copy = new Reader();
      copy.reading.addAll(reading);
      copy.ended.putAll(ended);
      return copy;
    }
  }

  private record Checkpoint(
      Lineage lineage, Map<String, Status> statuses, List<Reader> readers, Set<String> ends) {}

  private final Random random;
  private final ShardWorld world;
  private final ReleasePolicy policy;
  private final Set<String> pastBoundary = new HashSet<>();
  private final Map<String, Integer> endedAt = new HashMap<>();
  private List<Reader> readers = new ArrayList<>();

  /** Given to each subtask since the last completed checkpoint. */
  private List<Set<String>> uncheckpointed = new ArrayList<>();

  private LineageTracker tracker;
  private Checkpoint last;

  SimulatedCopy(Random random, ShardWorld world, ReleasePolicy policy) {
    this.random = random;
    this.world = world;
    this.policy = policy;
    this.tracker = new LineageTracker(policy);
    subtasks(1 + random.nextInt(3));
    last = snapshot();
  }

  private void subtasks(int count) {
    readers = new ArrayList<>();
    uncheckpointed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      readers.add(new Reader());
      uncheckpointed.add(new HashSet<>());
    }
  }

  LineageTracker tracker() {
    return tracker;
  }

  void anything() {
    switch (random.nextInt(12)) {
      case 0 -> {
        if (world.more()) {
          world.reshard();
        }
      }
      case 1 -> world.showOneMore();
      case 2, 3 -> list();
      case 4, 5 -> release();
      case 6, 7, 8 -> finishOne();
      case 9 -> checkpoint(random.nextInt(4) > 0);
      case 10 -> expireOne();
      default -> {
        if (random.nextInt(3) == 0) {
          lose();
        }
      }
    }
  }

  /** Without losses, and all of it: must come to an end. */
  void everything() {
    world.showAll();
    list();
    release();
    while (readers.stream().anyMatch(r -> !r.reading.isEmpty())) {
      finishOne();
    }
    checkpoint(true);
  }

  private void list() {
    Set<String> endedBefore = tracker.endedSoFar();
    List<Shard> listing = world.listing();
    if (random.nextBoolean()) {
      finishOne(); // while the listing is under way
    }
    tracker.learn(listing, endedBefore);
  }

  private void release() {
    for (Released released : tracker.release()) {
      int subtask =
          released instanceof Released.ToSubtask bound
              ? bound.subtask()
              : random.nextInt(readers.size());
      if (policy == ReleasePolicy.ORDERED && !(released instanceof Released.Unread)) {
        assertParentsStandBefore(released.shard(), subtask);
      }
      tracker.assigned(released.shard().id());
      uncheckpointed.get(subtask).add(released.shard().id());
      readers.get(subtask).reading.add(released.shard().id());
      if (released instanceof Released.Unread) {
        pastBoundary.add(released.shard().id());
      } else {
        pastBoundary.remove(released.shard().id());
      }
    }
  }

  private void assertParentsStandBefore(Shard child, int subtask) {
    for (Shard parent : tracker.lineage().listedParents(child)) {
      boolean covered = last.ends().contains(parent.id());
      boolean here = readers.get(subtask).ended.containsKey(parent.id());
      assertThat(covered || here)
          .as("%s is read on subtask %d behind %s", child, subtask, parent)
          .isTrue();
    }
  }

  private void finishOne() {
    int subtask = random.nextInt(readers.size());
    Reader reader = readers.get(subtask);
    if (reader.reading.isEmpty()) {
      return;
    }
    String id = new ArrayList<>(reader.reading).get(random.nextInt(reader.reading.size()));
    reader.reading.remove(id);
    EndReason reason = reason(id);
    reader.ended.put(id, reason);
    reader.uncovered.add(id);
    endedAt.put(id, world.now());
    tracker.ended(id, reason, subtask);
    if (random.nextInt(4) == 0) {
      tracker.ended(id, reason, subtask);
    }
  }

  private EndReason reason(String id) {
    if (pastBoundary.contains(id)) {
      return EndReason.UNREAD;
    }
    // The same bytes end it in the same way whenever they are read again.
    if (id.hashCode() % 7 == 0) {
      return EndReason.BOUNDARY;
    }
    boolean closedBehindTheLastCall = random.nextInt(4) == 0;
    return world.closed(id) && !closedBehindTheLastCall ? EndReason.CLOSED : EndReason.TIP;
  }

  private Checkpoint snapshot() {
    Set<String> ends = new HashSet<>();
    readers.forEach(r -> ends.addAll(r.ended.keySet()));
    return new Checkpoint(
        tracker.lineage(), tracker.statuses(), readers.stream().map(Reader::copy).toList(), ends);
  }

  /** The enumerator's part is taken first; readers may go on until theirs is. */
  private void checkpoint(boolean completes) {
    Lineage lineage = tracker.lineage();
    Map<String, Status> statuses = tracker.statuses();
    if (random.nextBoolean()) {
      finishOne();
    }
    Checkpoint taken = snapshot();
    if (!completes) {
      return;
    }
    last = new Checkpoint(lineage, statuses, taken.readers(), taken.ends());
    uncheckpointed.forEach(Set::clear);
    for (Reader reader : readers) {
      reader.uncovered.forEach(id -> tracker.covered(id, reader.ended.get(id)));
      reader.uncovered.clear();
    }
  }

  private void expireOne() {
    List<String> covered = new ArrayList<>(last.ends());
    if (!covered.isEmpty()) {
      world.expire(covered.get(random.nextInt(covered.size())));
    }
  }

  private void lose() {
    if (random.nextBoolean()) {
      loseSubtask(random.nextInt(readers.size()));
    } else {
      loseEverything();
    }
  }

  private void loseSubtask(int subtask) {
    Reader restored = last.readers().get(subtask).copy();
    readers.set(subtask, restored);
    tracker.subtaskReset(subtask);
    uncheckpointed.get(subtask).forEach(tracker::givenBack);
    uncheckpointed.get(subtask).clear();
    restored.ended.forEach(tracker::covered);
  }

  /** Taken up with another parallelism, the shards dealt out anew. */
  private void loseEverything() {
    tracker = LineageTracker.restored(policy, last.lineage(), last.statuses());
    List<Reader> held = last.readers();
    subtasks(1 + random.nextInt(3));
    for (Reader reader : held) {
      reader.reading.forEach(id -> any().reading.add(id));
      reader.ended.forEach((id, reason) -> any().ended.put(id, reason));
    }
    readers.forEach(r -> r.ended.forEach(tracker::covered));
    last =
        new Checkpoint(
            last.lineage(),
            last.statuses(),
            readers.stream().map(Reader::copy).toList(),
            last.ends());
  }

  private Reader any() {
    return readers.get(random.nextInt(readers.size()));
  }

  private boolean liesAfterBoundary(Shard shard, Map<String, EndReason> ends) {
    return tracker.lineage().listedParents(shard).stream()
        .anyMatch(
            parent ->
                ends.get(parent.id()).descendantsLieAfterBoundary()
                    || liesAfterBoundary(parent, ends));
  }

  /** Every shard ended once; none is left out that may hold records from before T. */
  void assertComplete() {
    Map<String, EndReason> ends = new HashMap<>();
    for (Reader reader : readers) {
      assertThat(reader.reading).isEmpty();
      reader.ended.forEach((id, reason) -> assertThat(ends.put(id, reason)).isNull());
    }
    assertThat(ends.keySet()).isEqualTo(tracker.lineage().ids());
    for (Shard shard : tracker.lineage().shards()) {
      boolean afterBoundary =
          tracker.lineage().listedParents(shard).stream()
              .anyMatch(p -> ends.get(p.id()).descendantsLieAfterBoundary());
      boolean unread = ends.get(shard.id()) == EndReason.UNREAD;
      // Unordered, a shard may have been read before its parent was seen to pass the boundary, and
      // one whose parent was unread at first may find it read after a loss.
      boolean asTheModelSays =
          policy == ReleasePolicy.ORDERED
              ? unread == afterBoundary
              : !unread || liesAfterBoundary(shard, ends);
      assertThat(asTheModelSays).as("%s unread: %s", shard, unread).isTrue();
      if (!ends.get(shard.id()).descendantsLieAfterBoundary()) {
        world
            .childrenUpTo(shard.id(), endedAt.get(shard.id()))
            .forEach(child -> assertThat(ends).containsKey(child.id()));
      }
    }
  }
}
