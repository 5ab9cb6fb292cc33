package io.cutover.source;

import io.cutover.kpl.UserRecord;
import io.cutover.lineage.Boundary;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;

/**
 * Emits, then advances: all members of an aggregate are out before the position moves, within one
 * call on the task thread, so that a checkpoint cannot fall between them.
 */
final class ShardEmitter implements RecordEmitter<ShardItem, LineageOutput, ShardProgress> {

  private final Boundary boundary;

  ShardEmitter(Boundary boundary) {
    this.boundary = boundary;
  }

  @Override
  public void emitRecord(
      ShardItem item, SourceOutput<LineageOutput> output, ShardProgress progress) {
    if (item instanceof ShardItem.PageRead page) {
      progress.read(page);
    } else if (item instanceof ShardItem.Passed passed) {
      emitPassed(passed, output, progress);
    } else if (item instanceof ShardItem.CaughtUp caughtUp) {
      progress.caughtUp(caughtUp.serverMillis());
    } else if (item instanceof ShardItem.End end) {
      progress.ended(end.reason());
      output.collect(new LineageOutput.ShardEnded(progress.ledger()));
    }
  }

  private void emitPassed(
      ShardItem.Passed passed, SourceOutput<LineageOutput> output, ShardProgress progress) {
    long arrival = passed.record().arrivalMillis();
    if (boundary.copies(arrival)) {
      for (UserRecord record : passed.taken().records()) {
        output.collect(new LineageOutput.Copied(record), arrival);
      }
      progress.copied(passed.record(), passed.taken());
    } else {
      progress.skipped(passed.record(), passed.taken());
    }
  }
}
