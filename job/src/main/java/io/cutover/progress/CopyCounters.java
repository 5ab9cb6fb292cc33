package io.cutover.progress;

import io.cutover.kpl.UserRecord;
import io.cutover.progress.ShardPositions.Cell;
import io.cutover.progress.ShardReached.Stage;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import org.apache.flink.api.common.accumulators.IntMaximum;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * What one subtask of the copy tells the people who wait for it, as accumulators: they reach the
 * client of a session cluster as well as a local one. For people only: they begin anew when the job
 * restarts. Belongs to the task thread.
 */
public final class CopyCounters {

  /** User records read from before T, in this attempt. */
  static final String RECORDS = "records";

  /** Their payload bytes. */
  static final String BYTES = "bytes";

  /** How far each shard has come: {@link ShardPositions}. */
  static final String POSITIONS = "positions";

  /** Which attempt the counts are of; another one than before means that they began anew. */
  static final String ATTEMPT = "attempt";

  private final LongCounter records = new LongCounter();
  private final LongCounter bytes = new LongCounter();
  private final ShardPositions positions = new ShardPositions();

  /** The shard of the last record: those of one shard come in runs. */
  private String shardId = "";

  private Cell position = new Cell();

  public CopyCounters(RuntimeContext context) {
    IntMaximum attempt = new IntMaximum();
    attempt.add(context.getTaskInfo().getAttemptNumber());
    context.addAccumulator(RECORDS, records);
    context.addAccumulator(BYTES, bytes);
    context.addAccumulator(POSITIONS, positions);
    context.addAccumulator(ATTEMPT, attempt);
  }

  public void copied(UserRecord record) {
    records.add(1L);
    bytes.add((long) record.data().length);
    String shard = record.origin().shardId();
    if (!shard.equals(shardId)) {
      shardId = shard;
      position = positions.of(shard);
    }
    position.read(record.arrivalMillis());
  }

  public void ended(ShardLedger ledger) {
    Stage stage =
        switch (ledger.endReason()) {
          case CLOSED -> Stage.CLOSED;
          case BOUNDARY, TIP, UNREAD -> Stage.DONE;
        };
    long last = ledger.last().map(Mark::arrivalMillis).orElse(0L);
    positions.of(ledger.shard().id()).reached(new ShardReached(last, stage));
  }
}
