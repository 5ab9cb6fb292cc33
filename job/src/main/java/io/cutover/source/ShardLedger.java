package io.cutover.source;

import io.cutover.kinesis.Position;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.Shard;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of the reading of one shard, from the place on where it began.
 *
 * @param first the first Kinesis record read, copied or skipped
 * @param last the last Kinesis record read and emitted whole: reading goes on behind it
 * @param firstSkipped the first Kinesis record read with arrival at or after T
 * @param records user records copied
 * @param bytes payload bytes copied
 * @param skipped user records read with arrival at or after T, not copied
 * @param aggregates KPL aggregates taken apart, copied or skipped
 * @param malformed records that look like aggregates and were passed through whole
 * @param outOfRange members of aggregates whose hash key the shard does not own, kept
 * @param completeUpToMillis an instant of the server's clock, epoch milliseconds, up to which
 *     everything that the shard held has been read; absent before the first record
 * @param end why the reading ended; absent while it goes on
 * @param cost what the reading took
 */
public record ShardLedger(
    Shard shard,
    Optional<Mark> first,
    Optional<Mark> last,
    Optional<Mark> firstSkipped,
    long records,
    long bytes,
    long skipped,
    long aggregates,
    long malformed,
    long outOfRange,
    OptionalLong completeUpToMillis,
    Optional<EndReason> end,
    ReadCost cost) {

  /** Nothing read yet. */
  public static ShardLedger unread(Shard shard) {
    return new ShardLedger(
        shard,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        0,
        0,
        0,
        0,
        OptionalLong.empty(),
        Optional.empty(),
        ReadCost.NONE);
  }

  /**
   * Where reading goes on.
   *
   * @param start where it begins as long as nothing was read
   */
  public Position position(ReadStart start) {
    return last.<Position>map(mark -> new Position.AfterSequence(mark.sequenceNumber()))
        .orElseGet(start::position);
  }

  /** The end of a shard that has ended. */
  public EndReason endReason() {
    return end.orElseThrow(
        () -> new IllegalStateException("the reading of " + shard.id() + " has not ended"));
  }
}
