package io.cutover.backfill;

import io.cutover.kpl.UserRecord;
import io.cutover.source.LineageOutput;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Counts for the progress that an attached client shows. They are for people: they begin anew when
 * the job restarts.
 */
final class CopyCounters {

  /** User records read from before T. */
  static final String RECORDS = "records";

  /** Their payload bytes. */
  static final String BYTES = "bytes";

  /** Shards that have ended. */
  static final String SHARDS = "shards";

  private final LongCounter records;
  private final LongCounter bytes;
  private final LongCounter shards;

  CopyCounters(RuntimeContext context) {
    records = counter(context, RECORDS);
    bytes = counter(context, BYTES);
    shards = counter(context, SHARDS);
  }

  private static LongCounter counter(RuntimeContext context, String name) {
    LongCounter counter = new LongCounter();
    context.addAccumulator(name, counter);
    return counter;
  }

  void copied(UserRecord record) {
    records.add(1L);
    bytes.add(record.data().length);
  }

  void ended(LineageOutput end) {
    if (end instanceof LineageOutput.ShardEnded) {
      shards.add(1L);
    }
  }
}
