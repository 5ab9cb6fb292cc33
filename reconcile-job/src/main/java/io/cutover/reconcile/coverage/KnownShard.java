package io.cutover.reconcile.coverage;

import static java.util.stream.Collectors.joining;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.report.ReportedShard;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of one shard, and by whom.
 *
 * @param openAtBoundary whether the pin says that it was open at T
 */
record KnownShard(
    String id,
    Optional<Shard> pinned,
    Optional<ReportedShard> reported,
    Optional<Shard> listed,
    boolean openAtBoundary) {

  /** Whether it was there when T was pinned. */
  boolean ofThePin() {
    return pinned.isPresent() || openAtBoundary;
  }

  boolean pinnedClosed() {
    return pinned.map(Shard::closed).orElse(false);
  }

  Optional<EndReason> stop() {
    return reported.map(ReportedShard::stop);
  }

  boolean stoppedBy(EndReason reason) {
    return stop().equals(Optional.of(reason));
  }

  /** Reported, and not as unread. */
  boolean read() {
    return reported.isPresent() && !stoppedBy(EndReason.UNREAD);
  }

  /** Absent where the pin names it as open at T, and nobody has more of it. */
  Optional<HashRange> range() {
    return reported
        .map(ReportedShard::range)
        .or(() -> pinned.map(Shard::range))
        .or(() -> listed.map(Shard::range));
  }

  List<String> parents() {
    return reported
        .map(ReportedShard::parents)
        .or(() -> pinned.map(Shard::parents))
        .or(() -> listed.map(Shard::parents))
        .orElse(List.of());
  }

  /** What of it is not the same in pin, report and listing; absent where all of it is. */
  Optional<String> change() {
    boolean openAgain =
        (pinnedClosed() || stoppedBy(EndReason.CLOSED))
            && listed.map(shard -> !shard.closed()).orElse(false);
    return differing(
            "hash range",
            pinned.map(Shard::range).map(KeyTiling::text),
            reported.map(ReportedShard::range).map(KeyTiling::text),
            listed.map(Shard::range).map(KeyTiling::text))
        .or(
            () ->
                differing(
                    "parents",
                    pinned.map(Shard::parents).map(KnownShard::sorted),
                    reported.map(ReportedShard::parents).map(KnownShard::sorted),
                    listed.map(Shard::parents).map(KnownShard::sorted)))
        .or(
            () ->
                openAgain
                    ? Optional.of("it was closed, and today's listing shows it open")
                    : Optional.empty());
  }

  /** The order of a merged shard's parents says nothing. */
  private static String sorted(List<String> parents) {
    return parents.stream().sorted().toList().toString();
  }

  private static Optional<String> differing(
      String what, Optional<String> inPin, Optional<String> inReport, Optional<String> inListing) {
    boolean same =
        Stream.of(inPin, inReport, inListing).flatMap(Optional::stream).distinct().count() <= 1;
    return same
        ? Optional.empty()
        : Optional.of(
            Stream.of(
                    inPin.map(value -> "in the pin " + value),
                    inReport.map(value -> "in the report " + value),
                    inListing.map(value -> "in today's listing " + value))
                .flatMap(Optional::stream)
                .collect(joining(", ", "its " + what + " is ", "")));
  }
}
