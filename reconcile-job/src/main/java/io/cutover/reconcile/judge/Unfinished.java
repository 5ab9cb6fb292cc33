package io.cutover.reconcile.judge;

import io.cutover.kafka.KafkaOptions;
import io.cutover.pin.Pin;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.Span;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** The report of a reconciliation that ended before it had compared anything. */
public final class Unfinished {

  private Unfinished() {}

  /** Of one that failed while it read. */
  public static VerdictReport report(Plan plan, String why, Instant finishedAt) {
    List<Finding> findings = new ArrayList<>(plan.facts().findings());
    findings.add(Finding.of(FindingCode.READ_FAILED, Optional.of(Verdict.INCONCLUSIVE), 1, why));
    return report(
        plan.pin(),
        plan.config(),
        plan.facts().copy().key(),
        plan.span(),
        new VerdictReport.Run(plan.facts().run(), plan.facts().startedAt(), finishedAt),
        findings);
  }

  /**
   * Of one that could not begin to read.
   *
   * @param findings one of which forces INCONCLUSIVE
   */
  public static VerdictReport report(
      Pin pin, Configuration config, Span span, VerdictReport.Run run, List<Finding> findings) {
    return report(pin, config, config.get(KafkaOptions.KEY), span, run, findings);
  }

  private static VerdictReport report(
      Pin pin,
      Configuration config,
      KafkaOptions.Key key,
      Span span,
      VerdictReport.Run run,
      List<Finding> findings) {
    return new VerdictReport(
        run,
        Terms.scope(pin, span),
        Terms.settings(config, key),
        new VerdictReport.Totals(Count.NOTHING, Count.NOTHING, 0, 0, 0),
        List.of(),
        List.of(),
        findings,
        VerdictReport.Differences.NONE,
        Optional.empty(),
        List.of(),
        new VerdictReport.Timings(
            Duration.between(run.startedAt(), run.finishedAt()),
            Duration.ZERO,
            Duration.ZERO,
            0,
            0));
  }
}
