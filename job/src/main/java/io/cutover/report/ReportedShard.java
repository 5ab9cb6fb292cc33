package io.cutover.report;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.source.Mark;
import java.util.List;
import java.util.Optional;

/**
 * What a complete copy's report tells of the reading of one shard; its ledger, without what the
 * reading cost.
 *
 * @param stop why the reading ended
 * @param first the first Kinesis record read, copied or skipped
 * @param last the last Kinesis record read
 * @param firstSkipped the first Kinesis record read with arrival at or after T
 * @param records user records copied
 * @param bytes payload bytes copied
 * @param skipped user records read with arrival at or after T
 */
public record ReportedShard(
    String id,
    List<String> parents,
    HashRange range,
    EndReason stop,
    Optional<Mark> first,
    Optional<Mark> last,
    Optional<Mark> firstSkipped,
    long records,
    long bytes,
    long skipped) {

  public ReportedShard {
    parents = List.copyOf(parents);
  }
}
