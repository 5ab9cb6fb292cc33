package io.cutover.source;

import io.cutover.lineage.Boundary;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * How far the reading of one shard is behind, as of its last page; -1 while that is not known, as
 * in Flink's own gauges. Registered with the first page, and kept when the shard has ended.
 *
 * <ul>
 *   <li>millisBehindLatest: the server's word.
 *   <li>millisBehindBoundary: T less the last arrival read; 0 when the shard has ended.
 * </ul>
 */
final class ShardGauges {

  static final long UNKNOWN = -1;

  private final Boundary boundary;
  private long behindLatest = UNKNOWN;
  private long behindBoundary = UNKNOWN;

  ShardGauges(MetricGroup group, Boundary boundary) {
    this.boundary = boundary;
    group.gauge("millisBehindLatest", (Gauge<Long>) () -> behindLatest);
    group.gauge("millisBehindBoundary", (Gauge<Long>) () -> behindBoundary);
  }

  void read(ShardItem.PageRead page, ShardLedger ledger) {
    behindLatest = page.millisBehindLatest().orElse(UNKNOWN);
    behindBoundary =
        ledger
            .last()
            .map(last -> Math.max(0, boundary.t().toEpochMilli() - last.arrivalMillis()))
            .orElse(UNKNOWN);
  }

  void ended() {
    behindBoundary = 0;
  }
}
