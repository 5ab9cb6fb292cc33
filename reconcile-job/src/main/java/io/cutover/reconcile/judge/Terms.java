package io.cutover.reconcile.judge;

import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.pin.Pin;
import io.cutover.reconcile.plan.Span;
import io.cutover.reconcile.verdict.VerdictReport;
import java.time.Instant;
import org.apache.flink.configuration.ReadableConfig;

/** What a verdict is about, which is known before anything is read. */
final class Terms {

  private Terms() {}

  static VerdictReport.Scope scope(Pin pin, Span span) {
    return new VerdictReport.Scope(
        pin.id(),
        pin.stream().arn(),
        pin.topic().name(),
        pin.topic().partitions(),
        pin.start(),
        pin.boundary(),
        span.from(),
        span.to(),
        span.whole(),
        pin.tallyWindow());
  }

  static VerdictReport.Settings settings(ReadableConfig config, KafkaOptions.Key key) {
    return new VerdictReport.Settings(
        config.get(ReconcileOptions.REQUIRE),
        config.get(ReconcileOptions.TOLERANCE_FLOOR),
        config.get(ReconcileOptions.TOLERANCE_PPM),
        config.get(ReconcileOptions.EVIDENCE),
        config.getOptional(ReconcileOptions.ACCEPT_EXPIRED_BEFORE).map(Instant::parse),
        config.get(ReconcileOptions.SAMPLE_BUCKETS),
        config.get(ReconcileOptions.SLACK),
        key);
  }
}
