package io.cutover.reconcile.coverage;

import io.cutover.lineage.Boundary;
import io.cutover.lineage.EndReason;
import io.cutover.report.ReportedShard;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says of every shard why nothing of it from before T is unread, or why that is not known.
 *
 * <p>Of a shard in the report its own end is the proof, where it stands the arithmetic:
 *
 * <ul>
 *   <li>CLOSED: known children own every hash key that it owned, so that none of them is hidden. A
 *       child of it that is not in the report has no proof of its own.
 *   <li>TIP: it was read to its tip when T + slack had passed. One that was closed by then (the pin
 *       says so, or the report has a child of it) gave its keys away perhaps before T: children in
 *       the report must own all of them.
 *   <li>BOUNDARY: the last record that was read arrived at T + slack or later. No record of a shard
 *       that ended otherwise did.
 *   <li>UNREAD: the reading of a parent ended with a proven BOUNDARY or UNREAD, so it was opened
 *       later than that record arrived. It has no records in the report, and was not open at T.
 * </ul>
 *
 * <p>A shard of the pin that is not in the report has no proof. One that only today's listing shows
 * was opened behind the copy if all of its known parents were read to a proven TIP, BOUNDARY or
 * UNREAD without a child in the report, or are proven in this way themselves. A CLOSED parent, or a
 * TIP one with another child in the report, means that it was there to be read and was not. Where
 * none of its parents is known, they have expired: it has a proof only if the horizon has passed T,
 * since it was open then (else it had expired with them) and not at T.
 */
final class EndProofs {

  /** What is said of one shard. */
  sealed interface Judgement {
    record Proven(String why) implements Judgement {}

    record Unproven(String why) implements Judgement {}
  }

  private final Family family;
  private final Boundary boundary;
  private final Instant horizon;
  private final Map<String, Judgement> judgements = new HashMap<>();

  EndProofs(Family family, Boundary boundary, Instant horizon) {
    this.family = family;
    this.boundary = boundary;
    this.horizon = horizon;
  }

  Judgement of(KnownShard shard) {
    Judgement known = judgements.get(shard.id());
    if (known != null) {
      return known;
    }
    // Parents are asked on the way: a shard that came to be its own ancestor is nobody's proof.
    judgements.put(shard.id(), unproven("it is its own ancestor"));
    Judgement judgement =
        shard
            .reported()
            .map(report -> reported(shard, report))
            .orElseGet(
                () ->
                    shard.ofThePin()
                        ? unproven("it was there when T was pinned, and is not in the report")
                        : onlyListed(shard));
    judgements.put(shard.id(), judgement);
    return judgement;
  }

  private Judgement reported(KnownShard shard, ReportedShard report) {
    boolean pastSlack =
        report.last().map(last -> boundary.endsAt(last.arrivalMillis())).orElse(false);
    if (pastSlack && report.stop() != EndReason.BOUNDARY) {
      return unproven(
          report.stop() + ", though its last record arrived at or after T + " + boundary.slack());
    }
    return switch (report.stop()) {
      case CLOSED -> closed(shard);
      case TIP -> tip(shard);
      case BOUNDARY ->
          pastSlack
              ? proven("a record from T + " + boundary.slack() + " on was met")
              : unproven("BOUNDARY, but no record from T + " + boundary.slack() + " on was met");
      case UNREAD -> unread(shard, report);
    };
  }

  private Judgement closed(KnownShard shard) {
    return family.childrenCover(shard, child -> true)
        ? proven("read to its closed end; its children own all of its hash keys")
        : unproven("CLOSED, but its known children do not own all of its hash keys");
  }

  private Judgement tip(KnownShard shard) {
    boolean closedSince = shard.pinnedClosed() || hasReportedChild(shard);
    if (!closedSince) {
      return proven("read to its tip after T + " + boundary.slack());
    }
    return family.childrenCover(shard, child -> child.reported().isPresent())
        ? proven("read to its end; its children in the report own all of its hash keys")
        : unproven(
            "TIP, but it had been closed, and its children in the report do not own all of its"
                + " hash keys");
  }

  private boolean hasReportedChild(KnownShard shard) {
    return family.children(shard).stream().anyMatch(child -> child.reported().isPresent());
  }

  private Judgement unread(KnownShard shard, ReportedShard report) {
    if (report.first().isPresent() || report.records() > 0 || report.skipped() > 0) {
      return unproven("UNREAD, but the report has records of it");
    }
    if (shard.openAtBoundary()) {
      return unproven("UNREAD, but it was open at T");
    }
    return family.parents(shard).stream()
        .filter(parent -> parent.stop().map(EndReason::descendantsLieAfterBoundary).orElse(false))
        .filter(this::isProven)
        .findFirst()
        .map(parent -> proven("all of it lies after T: it descends from " + parent.id()))
        .orElseGet(
            () -> unproven("UNREAD, but the reading of no parent ended at a record after T"));
  }

  private Judgement onlyListed(KnownShard shard) {
    List<KnownShard> parents = family.parents(shard);
    if (parents.isEmpty()) {
      return horizon.isAfter(boundary.t())
          ? proven("opened after T: not open at T, and not expired with what was")
          : unproven("it is not in the report, and none of its parents is known");
    }
    Optional<KnownShard> doubtful =
        parents.stream().filter(parent -> !endsBehindTheCopy(parent)).findFirst();
    return doubtful
        .map(
            parent ->
                unproven(
                    "it is not in the report, but its parent "
                        + parent.id()
                        + parent.stop().map(stop -> " ended with " + stop).orElse(" has no proof")))
        .orElseGet(() -> proven("opened after the copy had read its parents past T"));
  }

  private boolean endsBehindTheCopy(KnownShard parent) {
    boolean open =
        parent
            .stop()
            .map(
                stop ->
                    stop.descendantsLieAfterBoundary()
                        || (stop == EndReason.TIP && !hasReportedChild(parent)))
            .orElse(true);
    return open && isProven(parent);
  }

  private boolean isProven(KnownShard shard) {
    return of(shard) instanceof Judgement.Proven;
  }

  private static Judgement proven(String why) {
    return new Judgement.Proven(why);
  }

  private static Judgement unproven(String why) {
    return new Judgement.Unproven(why);
  }
}
