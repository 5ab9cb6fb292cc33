package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFilterFunction;

/**
 * Lets what is no record through to the settlement, and counts what is one for the progress. The
 * counts are for people: they begin anew when the job restarts.
 */
final class EndsFilter extends RichFilterFunction<LineageOutput> {

  /** User records read from before T. */
  static final String RECORDS = "records";

  /** Their payload bytes. */
  static final String BYTES = "bytes";

  /** Shards that have ended. */
  static final String SHARDS = "shards";

  private static final long serialVersionUID = 1L;

  private transient LongCounter records;
  private transient LongCounter bytes;
  private transient LongCounter shards;

  @Override
  public void open(OpenContext context) {
    records = counter(RECORDS);
    bytes = counter(BYTES);
    shards = counter(SHARDS);
  }

  private LongCounter counter(String name) {
    LongCounter counter = new LongCounter();
    getRuntimeContext().addAccumulator(name, counter);
    return counter;
  }

  @Override
  public boolean filter(LineageOutput output) {
    if (output instanceof LineageOutput.Copied copied) {
      records.add(1L);
      bytes.add(copied.record().data().length);
      return false;
    }
    if (output instanceof LineageOutput.ShardEnded) {
      shards.add(1L);
    }
    return true;
  }
}
