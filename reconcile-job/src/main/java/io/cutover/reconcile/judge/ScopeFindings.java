package io.cutover.reconcile.judge;

import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Sampled;
import io.cutover.reconcile.telling.Words;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.report.ExpiredUnread;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What of the copy was compared, and what was not. */
record ScopeFindings(Plan plan, Compared compared) {

  private static final Optional<Verdict> PARTIAL = Optional.of(Verdict.PARTIAL);

  List<Finding> all() {
    List<Finding> findings = new ArrayList<>();
    if (!plan.span().whole()) {
      findings.add(
          Finding.of(
              FindingCode.WINDOW_NARROWED,
              PARTIAL,
              1,
              "Compared is what arrived from "
                  + plan.span().from()
                  + " to "
                  + plan.span().to()
                  + ", but the copy is of all from "
                  + plan.pin().start()
                  + " to "
                  + plan.pin().boundary()
                  + ". A spot check never clears the flip."));
    }
    notCompared(findings);
    expiredUnread(findings);
    if (compared.topic().foreignOutside() > 0) {
      findings.add(
          Finding.of(
              FindingCode.LIVE_RECORDS,
              Optional.empty(),
              compared.topic().foreignOutside(),
              Words.counted(
                      compared.topic().foreignOutside(),
                      "record of the topic is not this copy's and lies",
                      "records of the topic are not this copy's and lie")
                  + " outside of the compared span, as those of a dual write do."));
    }
    if (compared.comparison().buckets().isEmpty()) {
      findings.add(
          Finding.of(
              FindingCode.NO_RECORDS,
              Optional.empty(),
              0,
              "Neither side holds a record in the compared span: there was nothing to compare."));
    }
    return findings;
  }

  private void notCompared(List<Finding> findings) {
    List<Bucket> left =
        compared.comparison().buckets().stream()
            .filter(bucket -> bucket.evidence() == Evidence.NOT_COMPARED)
            .toList();
    if (!left.isEmpty()) {
      findings.add(
          new Finding(
              FindingCode.NOT_COMPARED,
              PARTIAL,
              left.size(),
              Words.counted(left.size(), "window of a shard was", "windows of single shards were")
                  + " not compared: the stream does not hold all of it any more, or was not asked, and"
                  + " there is no witness that may be used.",
              left.stream()
                  .limit(Sampled.MOST)
                  .map(
                      bucket ->
                          bucket.key().shard()
                              + " from "
                              + plan.span().windows().start(bucket.key().window()))
                  .toList()));
    }
  }

  private void expiredUnread(List<Finding> findings) {
    Optional<ExpiredUnread.Span> expired = plan.facts().copy().expiredUnread();
    if (expired.isEmpty()) {
      return;
    }
    boolean accepted =
        plan.config()
            .getOptional(ReconcileOptions.ACCEPT_EXPIRED_BEFORE)
            .map(Instant::parse)
            .map(before -> !before.isBefore(expired.get().to()))
            .orElse(false);
    String what =
        "Records that arrived from "
            + expired.get().from()
            + " to "
            + expired.get().to()
            + " expired before the backfill read them. ";
    findings.add(
        accepted
            ? Finding.of(
                FindingCode.EXPIRED_ACCEPTED,
                Optional.empty(),
                1,
                what + "reconcile.accept-expired-before accepts that.")
            : Finding.of(
                FindingCode.EXPIRED_UNREAD,
                PARTIAL,
                1,
                what
                    + "If the readers can do without them, set reconcile.accept-expired-before = "
                    + expired.get().to()
                    + "."));
  }
}
