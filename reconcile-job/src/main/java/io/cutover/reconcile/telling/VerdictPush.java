package io.cutover.reconcile.telling;

import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.VerdictReport;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.exporter.pushgateway.Format;
import io.prometheus.metrics.exporter.pushgateway.PushGateway;
import io.prometheus.metrics.exporter.pushgateway.Scheme;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/**
 * A verdict as series of Prometheus at a Pushgateway, which keeps the last one of each group (job
 * {@code cutover_reconcile}, {@code pin}, {@code evidence}) until the next: a scheduled run, which
 * goes by the {@code witness}, says nothing over what a gate ({@code auto}) has said, and a spot
 * check ({@code spot-check}) nothing over either.
 *
 * <ul>
 *   <li>{@code cutover_verdict_exit_code}: 0 CLEARED, 1 MISMATCH, 2 PARTIAL, 3 INCONCLUSIVE.
 *   <li>{@code cutover_verdict_timestamp_seconds}: when it was given.
 *   <li>{@code cutover_verdict_records}, label {@code side}: what was compared; absent where it did
 *       not come to a comparison.
 *   <li>{@code cutover_verdict_findings}, label {@code code}: the count of each finding.
 * </ul>
 *
 * <p>All have the labels {@code stream}, its name, and {@code topic}.
 */
public final class VerdictPush {

  private static final String JOB = "cutover_reconcile";
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final double MILLIS = 1000.0;

  /** What compares less than the whole never clears, and says nothing over what does. */
  private static final String SPOT_CHECK = "spot-check";

  private final URI gateway;

  /**
   * @param gateway with scheme, host and port
   */
  public VerdictPush(URI gateway) {
    this.gateway = gateway;
  }

  /**
   * Puts the verdict in the place of the group's last one.
   *
   * @throws IOException when the gateway does not answer within 5 seconds, or does not take it
   */
  public void push(VerdictReport report) throws IOException {
    PushGateway.builder()
        .scheme(Scheme.fromString(gateway.getScheme().toLowerCase(Locale.ROOT)))
        .address(gateway.getAuthority())
        .connectionTimeout(PATIENCE)
        .readTimeout(PATIENCE)
        .format(Format.PROMETHEUS_TEXT)
        .job(JOB)
        .groupingKey("pin", report.scope().pin())
        .groupingKey("evidence", evidence(report))
        .registry(series(report))
        .build()
        .push();
  }

  private static String evidence(VerdictReport report) {
    return report.scope().whole() ? report.settings().evidence().toString() : SPOT_CHECK;
  }

  private static PrometheusRegistry series(VerdictReport report) {
    PrometheusRegistry registry = new PrometheusRegistry();
    String arn = report.scope().stream();
    Labels sides =
        Labels.of(
            // As the source's own series name it.
            "stream", arn.substring(arn.indexOf('/') + 1), "topic", report.scope().topic());
    gauge("exit_code", "0 CLEARED, 1 MISMATCH, 2 PARTIAL, 3 INCONCLUSIVE.", sides)
        .register(registry)
        .set(report.verdict().exitCode());
    gauge("timestamp_seconds", "When the verdict was given.", sides)
        .register(registry)
        .set(report.run().finishedAt().toEpochMilli() / MILLIS);
    if (report.compared()) {
      Gauge records =
          gauge("records", "Records that were compared.", sides)
              .labelNames("side")
              .register(registry);
      records.labelValues("kinesis").set(report.totals().kinesis().records());
      records.labelValues("kafka").set(report.totals().kafka().records());
    }
    Gauge findings =
        gauge("findings", "What was found, how often.", sides)
            .labelNames("code")
            .register(registry);
    for (Finding finding : report.findings()) {
      findings.labelValues(finding.code().name()).inc(finding.count());
    }
    return registry;
  }

  private static Gauge.Builder gauge(String name, String help, Labels sides) {
    return Gauge.builder().name("cutover_verdict_" + name).help(help).constLabels(sides);
  }

  @Override
  public String toString() {
    return "the Pushgateway " + gateway;
  }
}
