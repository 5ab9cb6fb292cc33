package io.cutover.reconcile.judge;

import io.cutover.reconcile.coverage.ShardCoverage;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Sampled;
import io.cutover.reconcile.telling.Words;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether the Kinesis side itself was whole, by what shares no code with what read it.
 *
 * @param findings each of which forces INCONCLUSIVE
 */
record CoverageFindings(VerdictReport.Coverage coverage, List<Finding> findings) {

  static CoverageFindings of(Plan plan, List<Recount> recounts) {
    ShardCoverage shards =
        ShardCoverage.of(
            plan.pin(),
            plan.facts().copy().slack(),
            plan.facts().copy().shards(),
            plan.facts().listing(),
            plan.facts().expiredBefore());
    List<Finding> findings = new ArrayList<>(shards.findings());
    List<String> differ =
        recounts.stream().filter(one -> !one.agrees()).map(CoverageFindings::line).toList();
    if (!differ.isEmpty()) {
      findings.add(
          new Finding(
              FindingCode.RECOUNT_DIFFERS,
              Optional.of(Verdict.INCONCLUSIVE),
              differ.size(),
              Words.counted(
                      differ.size(), "window of a shard holds", "windows of single shards hold")
                  + " other records than were read, by the count of a plain loop: the reading of the"
                  + " stream is not to be trusted. Keep the files and the log, and report it.",
              differ.stream().limit(Sampled.MOST).toList()));
    }
    return new CoverageFindings(shards.with(recounts), findings);
  }

  private static String line(Recount recount) {
    VerdictReport.Count again = recount.recounted().orElseThrow();
    return recount.shard()
        + " from "
        + recount.start()
        + ": read "
        + recount.found().records()
        + " records of "
        + recount.found().bytes()
        + " bytes, recounted "
        + again.records()
        + " of "
        + again.bytes();
  }
}
