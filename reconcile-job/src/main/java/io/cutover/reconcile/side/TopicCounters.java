package io.cutover.reconcile.side;

import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * How far one subtask has read the topic; told to the people who wait, as accumulators. Belongs to
 * the task thread.
 */
public final class TopicCounters {

  /** Committed records read. */
  public static final String RECORDS = "topicRecords";

  /** Offsets passed, markers and aborted records among them. */
  public static final String OFFSETS = "topicOffsets";

  private final LongCounter records = new LongCounter();
  private final LongCounter offsets = new LongCounter();
  private final SortedMap<Integer, Long> partitions = new TreeMap<>();

  /** The partition of the last record: they come in runs. */
  private int partition;

  private long inRun;
  private long lastOffset;
  private final SortedMap<Integer, Long> reached = new TreeMap<>();

  TopicCounters(RuntimeContext context) {
    context.addAccumulator(RECORDS, records);
    context.addAccumulator(OFFSETS, offsets);
  }

  void read(TopicRecord record) {
    records.add(1L);
    if (inRun == 0 || record.partition() != partition) {
      endRun();
      partition = record.partition();
      lastOffset = reached.getOrDefault(partition, record.offset() - 1);
    }
    inRun++;
    offsets.add(record.offset() - lastOffset);
    lastOffset = record.offset();
  }

  private void endRun() {
    if (inRun > 0) {
      partitions.merge(partition, inRun, Long::sum);
      reached.put(partition, lastOffset);
      inRun = 0;
    }
  }

  /** Committed records of each partition that has any. */
  SortedMap<Integer, Long> partitions() {
    endRun();
    return new TreeMap<>(partitions);
  }
}
