package io.cutover.reconcile.coverage;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A stream that is resharded and written to at random, from long before T until today, and a copy
 * of it that read all that it should have. Time is counted in seconds from the first shards on.
 *
 * <p>The copy ends at one moment, behind T + slack; its last listing is taken a little later.
 */
final class History {

  static final Duration SLACK = Duration.ofSeconds(40);

  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");
  private static final int NEVER = Integer.MAX_VALUE;

  /** One shard from its opening to its closing, with the arrivals of its records. */
  private static final class Life {
    final String id;
    final List<String> parents;
    final HashRange range;
    final int opened;
    final List<Integer> arrivals = new ArrayList<>();
    int closed = NEVER;

    Life(String id, List<String> parents, HashRange range, int opened) {
      this.id = id;
      this.parents = parents;
      this.range = range;
      this.opened = opened;
    }

    Shard at(int moment) {
      return new Shard(id, parents, range, closed <= moment);
    }

    boolean expired(int horizon) {
      return closed < horizon;
    }
  }

  private final Random random;
  private final List<Life> lives = new ArrayList<>();
  private final int boundary;
  private final int pinnedAt;
  private final int copiedAt;
  private final int lastListing;
  private final int today;
  private final int start;
  private final int horizon;
  private final Map<String, EndReason> stops = new HashMap<>();

  History(Random random) {
    this.random = random;
    today = 400 + random.nextInt(2000);
    reshard();
    boundary = random.nextInt(today - 200);
    int slack = (int) SLACK.toSeconds();
    pinnedAt = boundary + random.nextInt(2 * slack);
    copiedAt = Math.max(boundary + slack, pinnedAt) + random.nextInt(40);
    lastListing = copiedAt + random.nextInt(30);
    write();
    start = random.nextInt(boundary + 1);
    horizon = start + random.nextInt(today - start + 1);
    copy();
  }

  private void reshard() {
    int roots = 1 + random.nextInt(4);
    BigInteger share = HashRange.ALL.size().divide(BigInteger.valueOf(roots));
    for (int i = 0; i < roots; i++) {
      BigInteger from = share.multiply(BigInteger.valueOf(i));
      BigInteger to = i == roots - 1 ? HashRange.MAX : from.add(share).subtract(BigInteger.ONE);
      open(List.of(), new HashRange(from, to), 0);
    }
    int pace = 10 + random.nextInt(200);
    for (int now = random.nextInt(pace) + 1; now < today; now += 1 + random.nextInt(pace)) {
      List<Life> open = lives.stream().filter(life -> life.closed == NEVER).toList();
      Life one = open.get(random.nextInt(open.size()));
      Optional<Life> next =
          open.stream()
              .filter(life -> life.range.start().equals(one.range.end().add(BigInteger.ONE)))
              .findFirst();
      if (next.isPresent() && random.nextBoolean()) {
        merge(one, next.get(), now);
      } else {
        split(one, now);
      }
    }
  }

  private void open(List<String> parents, HashRange range, int now) {
    lives.add(new Life("s%03d".formatted(lives.size()), parents, range, now));
  }

  private void merge(Life one, Life next, int now) {
    one.closed = now;
    next.closed = now;
    open(List.of(one.id, next.id), new HashRange(one.range.start(), next.range.end()), now);
  }

  private void split(Life one, int now) {
    one.closed = now;
    BigInteger middle = one.range.start().add(one.range.size().shiftRight(1));
    open(List.of(one.id), new HashRange(one.range.start(), middle.subtract(BigInteger.ONE)), now);
    open(List.of(one.id), new HashRange(middle, one.range.end()), now);
  }

  private void write() {
    for (Life life : lives) {
      int step = 5 + random.nextInt(300);
      int end = Math.min(life.closed, today);
      for (int at = life.opened + random.nextInt(step); at < end; at += 1 + random.nextInt(step)) {
        life.arrivals.add(at);
      }
    }
  }

  /** Parents first, as they are in the list. */
  private void copy() {
    for (Life life : lives) {
      boolean pinned = life.opened <= pinnedAt && !life.expired(start);
      boolean known = pinned || (life.opened > pinnedAt && life.opened <= lastListing);
      if (known) {
        EndReason stop = stop(life);
        // The listing lags behind, and nobody waits for children from behind the boundary.
        boolean awaited =
            pinned
                || life.parents.stream()
                    .flatMap(parent -> Optional.ofNullable(stops.get(parent)).stream())
                    .anyMatch(end -> !end.descendantsLieAfterBoundary())
                || life.closed <= lastListing
                || random.nextInt(4) > 0;
        boolean orphan = !pinned && life.parents.stream().noneMatch(stops::containsKey);
        if (awaited && !orphan) {
          stops.put(life.id, stop);
        }
      }
    }
  }

  private EndReason stop(Life life) {
    boolean afterBoundary =
        life.parents.stream()
            .flatMap(parent -> Optional.ofNullable(stops.get(parent)).stream())
            .anyMatch(EndReason::descendantsLieAfterBoundary);
    if (afterBoundary) {
      return EndReason.UNREAD;
    }
    if (read(life).stream().anyMatch(at -> at >= boundary + SLACK.toSeconds())) {
      return EndReason.BOUNDARY;
    }
    // A server may say that nothing is left of a shard, and not yet that it was closed.
    boolean saysClosed = life.closed <= copiedAt && random.nextInt(5) > 0;
    return saysClosed ? EndReason.CLOSED : EndReason.TIP;
  }

  /** The arrivals of the records that the copy read of it, unless it left it unread. */
  private List<Integer> read(Life life) {
    List<Integer> read = new ArrayList<>();
    for (int at : life.arrivals) {
      boolean before = read.isEmpty() || read.get(read.size() - 1) < boundary + SLACK.toSeconds();
      if (before && at <= copiedAt) {
        read.add(at);
      }
    }
    return read;
  }

  // ---- what is told of it

  private static Instant at(int seconds) {
    return BEGIN.plusSeconds(seconds);
  }

  Instant horizon() {
    return at(horizon);
  }

  Pin pin() {
    Pin any = Given.pin(List.of(), List.of());
    return new Pin(
        at(pinnedAt),
        at(boundary),
        at(start),
        at(start),
        any.tallyWindow(),
        any.stream(),
        any.topic(),
        lives.stream()
            .filter(life -> life.opened <= pinnedAt && !life.expired(start))
            .map(life -> life.at(pinnedAt))
            .toList(),
        lives.stream()
            .filter(life -> life.opened <= boundary && life.closed >= boundary)
            .map(life -> life.id)
            .toList(),
        List.of());
  }

  List<ReportedShard> report() {
    return lives.stream().filter(life -> stops.containsKey(life.id)).map(this::reported).toList();
  }

  private ReportedShard reported(Life life) {
    EndReason stop = stops.get(life.id);
    List<Integer> read = stop == EndReason.UNREAD ? List.of() : read(life);
    List<Integer> skipped = read.stream().filter(at -> at >= boundary).toList();
    return new ReportedShard(
        life.id,
        life.parents,
        life.range,
        stop,
        read.stream().findFirst().map(History::mark),
        read.stream().reduce((a, b) -> b).map(History::mark),
        skipped.stream().findFirst().map(History::mark),
        read.size() - skipped.size(),
        0,
        skipped.size());
  }

  private static Mark mark(int arrival) {
    return new Mark(Integer.toString(arrival + 1), at(arrival).toEpochMilli());
  }

  List<Shard> listing() {
    return lives.stream()
        .filter(life -> !life.expired(horizon))
        .map(life -> life.at(today))
        .toList();
  }

  // ---- what is true of it

  EndReason stopOf(String id) {
    return stops.get(id);
  }

  /** Whether some shard of those was a parent, and read to its closed end. */
  boolean aParentIsClosed(Collection<String> parents) {
    return parents.stream().anyMatch(parent -> stops.get(parent) == EndReason.CLOSED);
  }

  /** Whether the report has a parent of this shard, and another child of that one. */
  boolean aSiblingIsReported(ReportedShard shard) {
    return shard.parents().stream()
        .filter(stops::containsKey)
        .flatMap(parent -> lives.stream().filter(life -> life.parents.contains(parent)))
        .anyMatch(life -> !life.id.equals(shard.id()) && stops.containsKey(life.id));
  }

  boolean openBeforeT(String id) {
    return life(id).opened < boundary && life(id).closed > boundary;
  }

  /** Whether the stream lists it for certain: it was open at the pin, and T has not expired. */
  boolean mustBeListed(String id) {
    return life(id).closed > pinnedAt && horizon <= boundary;
  }

  private Life life(String id) {
    return lives.stream().filter(life -> life.id.equals(id)).findFirst().orElseThrow();
  }

  boolean hasReportedChild(String id) {
    return lives.stream().anyMatch(life -> life.parents.contains(id) && stops.containsKey(life.id));
  }
}
