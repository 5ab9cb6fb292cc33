package io.cutover.reconcile.judge;

import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.plan.Plan;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether the records that differ are few enough to be let pass: where the configuration allows it
 * at all, when each of them is named and missing or extra, and no more of them than allowed, in
 * total and in each window. Missing and extra never cancel.
 */
record Tolerance(Plan plan, Compared compared, Named named) {

  private static final long MILLION = 1_000_000;

  /** How many may differ beside so many Kinesis records. */
  long allowed(long kinesis) {
    long floor = plan.config().get(ReconcileOptions.TOLERANCE_FLOOR);
    long ppm = plan.config().get(ReconcileOptions.TOLERANCE_PPM);
    // Rounded up.
    long byShare = -Math.floorDiv(-Math.multiplyExact(kinesis, ppm), MILLION);
    return Math.max(floor, byShare);
  }

  boolean covers() {
    return plan.config().get(ReconcileOptions.REQUIRE) == ReconcileOptions.Require.TOLERANCE
        && compared.comparison().differing().stream().allMatch(named::explains)
        && named.total().altered() == 0
        && totalsAllowed();
  }

  private boolean totalsAllowed() {
    Map<Long, Long> kinesis = new HashMap<>();
    Map<Long, Long> kafka = new HashMap<>();
    for (Bucket bucket : compared.comparison().buckets()) {
      kinesis.merge(bucket.key().window(), Bucket.count(bucket.kinesis()).records(), Long::sum);
      kafka.merge(bucket.key().window(), Bucket.count(bucket.kafka()).records(), Long::sum);
    }
    long total = kinesis.values().stream().mapToLong(Long::longValue).sum();
    return named.total().missing() + named.total().extra() <= allowed(total)
        && named.byWindow().entrySet().stream()
            .allMatch(
                window ->
                    allowedIn(
                        window.getValue(),
                        kinesis.getOrDefault(window.getKey(), 0L),
                        kafka.getOrDefault(window.getKey(), 0L)));
  }

  private boolean allowedIn(Named.Counts counts, long kinesis, long kafka) {
    boolean emptyOnOneSideOnly = (kinesis == 0) != (kafka == 0);
    return !emptyOnOneSideOnly && counts.missing() + counts.extra() <= allowed(kinesis);
  }
}
