package io.cutover.reconcile.coverage;

import io.cutover.lineage.Boundary;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.reconcile.coverage.EndProofs.Judgement;
import io.cutover.reconcile.coverage.KeyTiling.Owned;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.report.ReportedShard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Whether the copy read every shard to its end, by arithmetic on what pin, report and today's
 * listing say. It shares nothing with what decided while the copy ran which shard is read, so that
 * the two cannot be blind to the same shard. Pure; runs anywhere.
 *
 * @param tiles whether the shards at which the reading ended own every hash key exactly once
 * @param shards of the pin, the report and the listing
 * @param findings SHARD_MISSING, SHARD_CHANGED, COVERAGE_INCOMPLETE; each forces INCONCLUSIVE
 */
public record ShardCoverage(
    boolean tiles, List<VerdictReport.ShardProof> shards, List<Finding> findings) {

  private static final int SAMPLES = 20;

  public ShardCoverage {
    shards = List.copyOf(shards);
    findings = List.copyOf(findings);
  }

  /**
   * Computes it.
   *
   * @param slack the copy's {@code boundary.slack}, as its report has it
   * @param report all shards of a complete copy's report, each once
   * @param listing one complete listing of the stream today
   * @param horizon what arrived before it may have expired by the time of the listing. Where the
   *     stream's retention was raised since the pin, it goes by the shorter one: what had expired
   *     before it was raised stays expired
   */
  public static ShardCoverage of(
      Pin pin,
      Duration slack,
      Collection<ReportedShard> report,
      Collection<Shard> listing,
      Instant horizon) {
    Family family = new Family(pin, report, listing);
    EndProofs proofs = new EndProofs(family, new Boundary(pin.boundary(), slack), horizon);
    List<String> gaps = KeyTiling.faults(owned(family.leaves(KnownShard::read)));
    List<Finding> findings = new ArrayList<>();
    missing(family, pin, horizon).ifPresent(findings::add);
    changed(family).ifPresent(findings::add);
    unproven(family, proofs).ifPresent(findings::add);
    untiled("the shards at which the copy's reading ended", gaps).ifPresent(findings::add);
    // A shard that was closed at T exactly was open then, as its children were.
    List<String> pinGaps = KeyTiling.faults(owned(family.leaves(KnownShard::openAtBoundary)));
    untiled("the shards that the pin says were open at T", pinGaps).ifPresent(findings::add);
    return new ShardCoverage(gaps.isEmpty(), proofs(family, proofs), findings);
  }

  private static List<Owned> owned(List<KnownShard> shards) {
    return shards.stream()
        .flatMap(shard -> shard.range().map(range -> new Owned(range, shard.id())).stream())
        .toList();
  }

  private static List<VerdictReport.ShardProof> proofs(Family family, EndProofs proofs) {
    return family.shards().stream()
        .map(
            shard ->
                new VerdictReport.ShardProof(
                    shard.id(),
                    shard.listed().isPresent(),
                    proofs.of(shard) instanceof Judgement.Proven proven
                        ? Optional.of(proven.why())
                        : Optional.empty()))
        .toList();
  }

  private static Optional<Finding> missing(Family family, Pin pin, Instant horizon) {
    Expiry expiry = new Expiry(family, pin);
    List<String> samples =
        expiry.missing(family.shards(), horizon).stream()
            .map(
                shard ->
                    shard.id() + ": must be listed until " + expiry.listedUntil(shard) + " expires")
            .toList();
    return finding(
        FindingCode.SHARD_MISSING,
        samples,
        "not listed, though only what arrived before " + horizon + " can have expired: ",
        " of the pin or the copy's report. Check whether the stream was deleted and created again,"
            + " and pin anew if it was");
  }

  private static Optional<Finding> changed(Family family) {
    List<String> samples =
        family.shards().stream()
            .flatMap(shard -> shard.change().map(what -> shard.id() + ": " + what).stream())
            .toList();
    return finding(
        FindingCode.SHARD_CHANGED,
        samples,
        "not the same in the pin, the copy's report and today's listing: ",
        ". Parents and hash range of a shard never change, and it never opens again: check whether"
            + " the stream was deleted and created again, and pin anew if it was");
  }

  private static Optional<Finding> unproven(Family family, EndProofs proofs) {
    List<String> samples = new ArrayList<>();
    for (KnownShard shard : family.shards()) {
      if (proofs.of(shard) instanceof Judgement.Unproven unproven) {
        samples.add(shard.id() + ": " + unproven.why());
      }
    }
    return finding(
        FindingCode.COVERAGE_INCOMPLETE,
        samples,
        "without a proof that the copy read all that it held from before T: ",
        ". Keep cutover.dir for a look, and make the copy anew into an empty topic");
  }

  private static Optional<Finding> untiled(String which, List<String> gaps) {
    return gaps.isEmpty()
        ? Optional.empty()
        : Optional.of(
            finding(
                FindingCode.COVERAGE_INCOMPLETE,
                gaps,
                which
                    + " do not own every hash key exactly once: a shard is unknown to them, or one"
                    + " too many is among them. Keep cutover.dir for a look, pin anew and make the"
                    + " copy into an empty topic"));
  }

  private static Optional<Finding> finding(
      FindingCode code, List<String> samples, String before, String after) {
    String count = samples.size() == 1 ? "1 shard" : samples.size() + " shards";
    return samples.isEmpty()
        ? Optional.empty()
        : Optional.of(finding(code, samples, before + count + after));
  }

  private static Finding finding(FindingCode code, List<String> samples, String text) {
    return new Finding(
        code,
        Optional.of(Verdict.INCONCLUSIVE),
        samples.size(),
        text,
        samples.subList(0, Math.min(SAMPLES, samples.size())));
  }

  /** As the report of the verdict has it. */
  public VerdictReport.Coverage with(List<VerdictReport.Recount> recounts) {
    return new VerdictReport.Coverage(tiles, shards, recounts);
  }
}
