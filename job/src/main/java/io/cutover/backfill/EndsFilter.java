package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/**
 * Lets what is no record through to the settlement, and counts what passes for the progress ({@link
 * CopyCounters}).
 */
final class EndsFilter extends RichFilterFunction<LineageOutput> {

  private static final long serialVersionUID = 1L;

  private transient CopyCounters counters;

  @Override
  public void open(OpenContext context) {
    counters = new CopyCounters(getRuntimeContext());
  }

  @Override
  public boolean filter(LineageOutput output) {
    if (output instanceof LineageOutput.Copied copied) {
      counters.copied(copied.record());
      return false;
    }
    if (output instanceof LineageOutput.ShardEnded ended) {
      counters.ended(ended.ledger());
    }
    return true;
  }
}
