package io.cutover.source;

import io.cutover.lineage.Boundary;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;

/** Emits as {@link ShardEmitter} does, and counts what was emitted. */
final class MeasuredEmitter implements RecordEmitter<ShardItem, LineageOutput, ShardProgress> {

  private final ShardEmitter emitter;
  private final Boundary boundary;
  private final SourceMetrics metrics;

  MeasuredEmitter(ShardEmitter emitter, Boundary boundary, SourceMetrics metrics) {
    this.emitter = emitter;
    this.boundary = boundary;
    this.metrics = metrics;
  }

  @Override
  public void emitRecord(
      ShardItem item, SourceOutput<LineageOutput> output, ShardProgress progress) {
    emitter.emitRecord(item, output, progress);
    metrics.item();
    if (item instanceof ShardItem.PageRead page) {
      metrics.read(page, progress.ledger());
    } else if (item instanceof ShardItem.Passed passed) {
      if (boundary.copies(passed.record().arrivalMillis())) {
        metrics.copied(passed.record(), passed.taken());
      } else {
        metrics.skipped(passed.record(), passed.taken());
      }
    } else if (item instanceof ShardItem.End) {
      metrics.ended(progress.ledger());
    }
  }
}
