package io.cutover.reconcile.side;

/**
 * Where the records of one shard stand in one partition.
 *
 * @param afterBoundary whether these are its records from T on
 */
public record ShardInPartition(
    int partition, String shard, boolean afterBoundary, long firstOffset, long lastOffset) {}
