package io.cutover.backfill;

/**
 * What is read in one comparison.
 *
 * @param shards of the stream, all open
 * @param recordsPerShard 1 KB each
 * @param stepMillis between the arrivals of two records of a shard
 * @param pageRecords the most records that the server puts on a page
 * @param delayMillis added to every call, as a network would
 * @param parallelism subtasks of the job; the bare loop has as many producers
 */
public record BenchmarkSetting(
    String name,
    int shards,
    int recordsPerShard,
    long stepMillis,
    int pageRecords,
    long delayMillis,
    int parallelism) {

  public long records() {
    return (long) shards * recordsPerShard;
  }
}
