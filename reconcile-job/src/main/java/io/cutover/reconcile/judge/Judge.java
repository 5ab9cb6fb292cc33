package io.cutover.reconcile.judge;

import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.TopicOffsets;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import io.cutover.reconcile.verdict.VerdictReport.EvidenceCounts;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import io.cutover.reconcile.verdict.VerdictReport.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes the verdict's report of all that was found. Plain arithmetic: reads and writes nothing.
 *
 * @param named what the records that differ come to
 * @param differences the file of them
 */
record Judge(
    Plan plan,
    Compared compared,
    Named named,
    Differences differences,
    List<Recount> recounts,
    Instant finishedAt) {

  VerdictReport report() {
    Tolerance tolerance = new Tolerance(plan, compared, named);
    List<Finding> findings = new ArrayList<>(plan.facts().findings());
    findings.addAll(compared.findings());
    CoverageFindings coverage = CoverageFindings.of(plan, recounts);
    findings.addAll(coverage.findings());
    findings.addAll(new DifferenceFindings(plan, compared, named, differences, tolerance).all());
    findings.addAll(new ScopeFindings(plan, compared).all());
    boolean tolerated = tolerance.covers();
    return new VerdictReport(
        new VerdictReport.Run(plan.facts().run(), plan.facts().startedAt(), finishedAt),
        Terms.scope(plan.pin(), plan.span()),
        Terms.settings(plan.config(), plan.facts().copy().key()),
        totals(),
        windows(tolerated),
        buckets(tolerated),
        findings,
        differences,
        Optional.of(coverage.coverage()),
        partitions(),
        timings());
  }

  private VerdictReport.Totals totals() {
    Count kinesis = Count.NOTHING;
    Count kafka = Count.NOTHING;
    for (Bucket bucket : compared.comparison().buckets()) {
      kinesis = kinesis.plus(Bucket.count(bucket.kinesis()));
      kafka = kafka.plus(Bucket.count(bucket.kafka()));
    }
    return new VerdictReport.Totals(
        kinesis,
        kafka,
        compared.topic().outside(),
        compared.topic().foreignInside(),
        compared.topic().foreignOutside());
  }

  private static State state(Bucket bucket, boolean tolerated) {
    if (bucket.evidence() == Evidence.NOT_COMPARED) {
      return State.NOT_COMPARED;
    }
    return bucket.differs() ? tolerated ? State.TOLERATED : State.DIFFERS : State.AGREES;
  }

  private List<VerdictReport.Window> windows(boolean tolerated) {
    Map<Long, VerdictReport.Window> windows = new TreeMap<>();
    for (Bucket bucket : compared.comparison().buckets()) {
      window(
          windows,
          bucket.key().window(),
          Bucket.count(bucket.kinesis()),
          Bucket.count(bucket.kafka()),
          EvidenceCounts.of(bucket.evidence()),
          state(bucket, tolerated));
    }
    // A window may hold nothing but records that are not this copy's.
    compared
        .topic()
        .foreignWindows()
        .keySet()
        .forEach(
            index ->
                window(
                    windows,
                    index,
                    Count.NOTHING,
                    Count.NOTHING,
                    new EvidenceCounts(0, 0, 0),
                    State.DIFFERS));
    return List.copyOf(windows.values());
  }

  private void window(
      Map<Long, VerdictReport.Window> windows,
      long index,
      Count kinesis,
      Count kafka,
      EvidenceCounts evidence,
      State state) {
    Named.Counts counts = named.byWindow().getOrDefault(index, Named.Counts.NONE);
    windows.merge(
        index,
        new VerdictReport.Window(
            plan.span().windows().start(index),
            plan.span().windows().end(index),
            kinesis,
            kafka,
            counts.missing(),
            counts.extra(),
            counts.altered(),
            compared.topic().foreignWindows().getOrDefault(index, 0L),
            evidence,
            state),
        Judge::both);
  }

  private static VerdictReport.Window both(VerdictReport.Window one, VerdictReport.Window other) {
    return new VerdictReport.Window(
        one.start(),
        one.end(),
        one.kinesis().plus(other.kinesis()),
        one.kafka().plus(other.kafka()),
        one.missing(),
        one.extra(),
        one.altered(),
        one.foreign(),
        one.evidence().plus(other.evidence()),
        one.state().compareTo(other.state()) >= 0 ? one.state() : other.state());
  }

  private List<VerdictReport.Bucket> buckets(boolean tolerated) {
    return compared.comparison().buckets().stream()
        .filter(bucket -> bucket.differs() || bucket.evidence() == Evidence.NOT_COMPARED)
        .map(bucket -> told(bucket, tolerated))
        .toList();
  }

  private VerdictReport.Bucket told(Bucket bucket, boolean tolerated) {
    return new VerdictReport.Bucket(
        bucket.key().shard(),
        plan.span().windows().start(bucket.key().window()),
        plan.span().windows().end(bucket.key().window()),
        bucket.evidence(),
        Bucket.count(bucket.kinesis()),
        Bucket.count(bucket.kafka()),
        bucket.kinesis().map(t -> t.digest()).orElse("0".repeat(32)),
        bucket.kafka().map(t -> t.digest()).orElse("0".repeat(32)),
        bucket.differs() && named.explains(bucket),
        state(bucket, tolerated));
  }

  private List<VerdictReport.Partition> partitions() {
    List<VerdictReport.Partition> partitions = new ArrayList<>();
    for (TopicOffsets offsets : plan.facts().offsets()) {
      partitions.add(
          new VerdictReport.Partition(
              offsets.partition(),
              offsets.begin(),
              offsets.end(),
              compared.topic().partitions().getOrDefault(offsets.partition(), 0L)));
    }
    return partitions;
  }

  private VerdictReport.Timings timings() {
    Instant begun = plan.facts().startedAt().plus(plan.facts().surveyedIn());
    return new VerdictReport.Timings(
        plan.facts().surveyedIn(),
        Duration.between(begun, compared.readAt()),
        Duration.between(compared.readAt(), finishedAt),
        compared.kinesisRecords(),
        compared.topic().records());
  }
}
