package io.cutover.reconcile.verdict;

import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.reconcile.verdict.VerdictReport.Bucket;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.Coverage;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import io.cutover.reconcile.verdict.VerdictReport.Listing;
import io.cutover.reconcile.verdict.VerdictReport.Partition;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import io.cutover.reconcile.verdict.VerdictReport.Run;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.Settings;
import io.cutover.reconcile.verdict.VerdictReport.ShardProof;
import io.cutover.reconcile.verdict.VerdictReport.Timings;
import io.cutover.reconcile.verdict.VerdictReport.Totals;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A report in the making: a clean copy, until a test puts something else in a part of it. */
public final class ReportDraft {

  public static final Instant T = Instant.parse("2026-11-30T00:00:00Z");
  public static final String ARN = "arn:aws:kinesis:eu-central-1:123456789012:stream/orders";
  public static final String SHA256 = "0123456789abcdef".repeat(4);

  public Run run =
      new Run(
          "5f0c9a1e",
          Instant.parse("2026-11-30T02:00:00Z"),
          Instant.parse("2026-11-30T02:07:31.250Z"));
  public Scope scope = scope(T.minus(Duration.ofDays(7)), T, true);
  public Settings settings =
      new Settings(
          ReconcileOptions.Require.IDENTICAL,
          5,
          200,
          ReconcileOptions.Evidence.AUTO,
          Optional.empty(),
          20,
          Duration.ofMinutes(10),
          KafkaOptions.Key.PARTITION_KEY);
  public Totals totals = new Totals(Count.NOTHING, Count.NOTHING, 0, 0, 0);
  public List<Window> windows = new ArrayList<>();
  public List<Bucket> buckets = new ArrayList<>();
  public List<Finding> findings = new ArrayList<>();
  public Differences differences =
      new Differences(Map.of(), List.of(), Optional.of(new Listing("differences.jsonl", SHA256)));
  public List<ShardProof> shards = new ArrayList<>();
  public boolean compared = true;
  public boolean tiles = true;
  public List<Recount> recounts = new ArrayList<>();
  public List<Partition> partitions = new ArrayList<>();
  public Timings timings =
      new Timings(Duration.ofMillis(812), Duration.ofSeconds(427), Duration.ofMillis(12_438), 0, 0);

  /** The scope between two instants. */
  public static Scope scope(Instant from, Instant to, boolean whole) {
    return new Scope(
        "9d3e51c07b42a6f8",
        ARN,
        "orders",
        4,
        T.minus(Duration.ofDays(7)),
        T,
        from,
        to,
        whole,
        Duration.ofHours(1));
  }

  /** Puts in these differences, all of them as samples. */
  public ReportDraft differing(List<Difference> differing) {
    Map<Difference.Kind, Long> counts = new EnumMap<>(Difference.Kind.class);
    differing.forEach(difference -> counts.merge(difference.kind(), 1L, Long::sum));
    differences =
        new Differences(counts, differing, Optional.of(new Listing("differences.jsonl", SHA256)));
    return this;
  }

  /** Makes the totals those of the windows. */
  public ReportDraft totalled() {
    Count kinesis = windows.stream().map(Window::kinesis).reduce(Count.NOTHING, Count::plus);
    Count kafka = windows.stream().map(Window::kafka).reduce(Count.NOTHING, Count::plus);
    long foreign = windows.stream().mapToLong(Window::foreign).sum();
    totals = new Totals(kinesis, kafka, 0, foreign, 1200);
    return this;
  }

  public VerdictReport report() {
    return new VerdictReport(
        run,
        scope,
        settings,
        totals,
        windows,
        buckets,
        findings,
        differences,
        compared ? Optional.of(new Coverage(tiles, shards, recounts)) : Optional.empty(),
        partitions,
        timings);
  }
}
