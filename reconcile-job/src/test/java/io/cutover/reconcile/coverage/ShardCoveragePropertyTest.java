package io.cutover.reconcile.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.report.ReportedShard;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random histories of a stream, copied right; then one thing of what is told of them is wrong. */
class ShardCoveragePropertyTest {

  private static ShardCoverage coverage(
      Pin pin, List<ReportedShard> report, List<Shard> listing, Instant horizon) {
    return ShardCoverage.of(pin, History.SLACK, report, listing, horizon);
  }

  private static ShardCoverage withReport(History history, List<ReportedShard> report) {
    return coverage(history.pin(), report, history.listing(), history.horizon());
  }

  private static <T> List<T> replaced(List<T> list, T old, T with) {
    return list.stream().map(one -> one.equals(old) ? with : one).toList();
  }

  private static <T> List<T> without(List<T> list, T one) {
    List<T> rest = new ArrayList<>(list);
    rest.remove(one);
    return rest;
  }

  private static <T> T any(Random random, List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static boolean pinned(History history, String id) {
    return history.pin().shards().stream().anyMatch(shard -> shard.id().equals(id));
  }

  /** However much of it has expired since. */
  @Property(tries = 1500)
  void rightCopyIsCovered(@ForAll long seed) {
    History history = new History(new Random(seed));
    ShardCoverage coverage = withReport(history, history.report());
    assertThat(coverage.findings()).isEmpty();
    assertThat(coverage.tiles()).isTrue();
    assertThat(coverage.shards())
        .isNotEmpty()
        .allMatch(shard -> shard.proof().isPresent())
        .extracting(VerdictReport.ShardProof::shard)
        .containsAll(history.listing().stream().map(Shard::id).toList());
  }

  @Property(tries = 1500)
  void shardLeftOutOfTheReportIsFound(@ForAll long seed) {
    Random random = new Random(seed);
    History history = new History(random);
    ReportedShard left = any(random, history.report());
    ShardCoverage coverage = withReport(history, without(history.report(), left));
    // Opened behind the pin, it lies after T; the copy had to read it only for its parents' sake.
    boolean owed =
        pinned(history, left.id())
            || history.aParentIsClosed(left.parents())
            || (left.stop() != EndReason.UNREAD && history.aSiblingIsReported(left));
    if (owed) {
      assertThat(coverage.findings())
          .extracting(Finding::code)
          .contains(FindingCode.COVERAGE_INCOMPLETE);
    }
  }

  @Property(tries = 1500)
  void otherStopIsFound(@ForAll long seed) {
    Random random = new Random(seed);
    History history = new History(random);
    ReportedShard shard = any(random, history.report());
    EndReason other = any(random, List.of(EndReason.values()));
    EndReason truth = shard.stop();
    // One that was opened behind the boundary has nothing to lose; and of one whose children were
    // all read it does not matter how its end was found.
    boolean readToItsEnd =
        (other == EndReason.CLOSED || other == EndReason.TIP)
            && (truth == EndReason.CLOSED || truth == EndReason.TIP);
    boolean harmless =
        other == truth
            || truth == EndReason.UNREAD
            || (readToItsEnd && history.hasReportedChild(shard.id()));
    ShardCoverage coverage =
        withReport(history, replaced(history.report(), shard, Given.with(shard, other)));
    if (!harmless) {
      assertThat(coverage.findings())
          .extracting(Finding::code)
          .contains(FindingCode.COVERAGE_INCOMPLETE);
    }
  }

  /** Neither pin nor report nor listing shows it: both sides are blind to it. */
  @Property(tries = 1500)
  void shardThatEverybodyIsBlindToIsFound(@ForAll long seed) {
    Random random = new Random(seed);
    History history = new History(random);
    ReportedShard hidden = any(random, history.report());
    Pin pin = history.pin();
    boolean owed =
        hidden.stop() != EndReason.UNREAD
            && (history.openBeforeT(hidden.id())
                || history.aParentIsClosed(hidden.parents())
                || history.aSiblingIsReported(hidden));
    Pin blind =
        withShards(
            pin,
            pin.shards().stream().filter(shard -> !shard.id().equals(hidden.id())).toList(),
            without(pin.openAtBoundary(), hidden.id()));
    List<Shard> listing =
        history.listing().stream().filter(shard -> !shard.id().equals(hidden.id())).toList();
    ShardCoverage coverage =
        coverage(blind, without(history.report(), hidden), listing, history.horizon());
    if (owed) {
      assertThat(coverage.findings())
          .extracting(Finding::code)
          .contains(FindingCode.COVERAGE_INCOMPLETE);
    }
  }

  private static Pin withShards(Pin pin, List<Shard> shards, List<String> openAtBoundary) {
    return new Pin(
        pin.pinnedAt(),
        pin.boundary(),
        pin.start(),
        pin.windowStart(),
        pin.tallyWindow(),
        pin.stream(),
        pin.topic(),
        shards,
        openAtBoundary,
        pin.oldest());
  }

  @Property(tries = 1000)
  void otherHashRangeIsFound(@ForAll long seed) {
    Random random = new Random(seed);
    History history = new History(random);
    ReportedShard shard = any(random, history.report());
    HashRange range = shrunk(random, shard.range());
    ShardCoverage coverage =
        withReport(
            history, replaced(history.report(), shard, Given.with(shard, shard.parents(), range)));
    boolean known = knownTwice(history, shard.id());
    // Where nobody else knows it, the arithmetic is left; unread it has no part in that.
    if (known || shard.stop() != EndReason.UNREAD) {
      assertThat(coverage.findings())
          .extracting(Finding::code)
          .contains(known ? FindingCode.SHARD_CHANGED : FindingCode.COVERAGE_INCOMPLETE);
    }
  }

  private static HashRange shrunk(Random random, HashRange range) {
    BigInteger by = new BigInteger(60, random).add(BigInteger.ONE);
    return new HashRange(range.start(), range.end().subtract(by));
  }

  private static boolean knownTwice(History history, String id) {
    return pinned(history, id)
        || history.listing().stream().anyMatch(shard -> shard.id().equals(id));
  }

  @Property(tries = 1000)
  void otherHashRangeOrParentsInTheListingAreFound(@ForAll long seed) {
    Random random = new Random(seed);
    History history = new History(random);
    UnaryOperator<Shard> change =
        random.nextBoolean()
            ? s -> new Shard(s.id(), s.parents(), shrunk(random, s.range()), s.closed())
            : s -> new Shard(s.id(), List.of("another"), s.range(), s.closed());
    List<Shard> copied =
        history.listing().stream().filter(s -> history.stopOf(s.id()) != null).toList();
    if (copied.isEmpty()) {
      return;
    }
    Shard shard = any(random, copied);
    ShardCoverage coverage =
        coverage(
            history.pin(),
            history.report(),
            replaced(history.listing(), shard, change.apply(shard)),
            history.horizon());
    assertThat(coverage.findings())
        .extracting(Finding::code)
        .containsExactly(FindingCode.SHARD_CHANGED);
  }

  /** It is gone from the listing while a record that was copied from it cannot have expired. */
  @Property(tries = 1000)
  void shardThatVanishedIsFound(@ForAll long seed) {
    Random random = new Random(seed);
    History history = new History(random);
    List<ReportedShard> unexpired =
        history.report().stream()
            .filter(
                shard ->
                    shard
                        .last()
                        .map(last -> last.arrivalMillis() >= history.horizon().toEpochMilli())
                        .orElse(history.mustBeListed(shard.id())))
            .toList();
    if (unexpired.isEmpty()) {
      return;
    }
    ReportedShard gone = any(random, unexpired);
    List<Shard> listing =
        history.listing().stream().filter(shard -> !shard.id().equals(gone.id())).toList();
    assertThat(coverage(history.pin(), history.report(), listing, history.horizon()).findings())
        .anySatisfy(
            finding -> {
              assertThat(finding.code()).isEqualTo(FindingCode.SHARD_MISSING);
              assertThat(finding.samples()).anyMatch(line -> line.startsWith(gone.id() + ": "));
            });
  }
}
