package io.cutover.reconcile.drilldown;

import io.cutover.reconcile.plan.TopicOffsets;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import java.time.Instant;
import java.util.Optional;

/**
 * Something to be read once more; one of these.
 *
 * @param shard its target, by the stream
 * @param partition all targets, by the topic
 * @param recount one bucket, by the plain loop
 */
public record Work(
    Optional<OfShard> shard, Optional<OfPartition> partition, Optional<OfRecount> recount) {

  public record OfShard(String shard, Targets.Target target) {}

  /**
   * @param foreign whether to name the records that are not this copy's
   * @param alone whether to name the records that tell by themselves that they are altered
   */
  public record OfPartition(
      TopicOffsets offsets, Targets targets, boolean foreign, boolean alone) {}

  /**
   * @param found what the Kinesis side has in the bucket
   * @param range its lowest and highest sequence number; absent where it has none
   */
  public record OfRecount(
      String shard, Instant start, Instant end, Count found, Optional<Targets.Range> range) {}

  static Work of(OfShard shard) {
    return new Work(Optional.of(shard), Optional.empty(), Optional.empty());
  }

  static Work of(OfPartition partition) {
    return new Work(Optional.empty(), Optional.of(partition), Optional.empty());
  }

  static Work of(OfRecount recount) {
    return new Work(Optional.empty(), Optional.empty(), Optional.of(recount));
  }
}
