package io.cutover.backfill;

/**
 * What is copied in one comparison.
 *
 * @param shards of the stream, all open
 * @param recordsPerShard 1 KB each
 * @param pageRecords the most records that the server puts on a page
 * @param delayMillis added to every call, as a network would
 * @param parallelism subtasks of the job; the bare loop has as many producers
 */
record BenchmarkSetting(
    String name,
    int shards,
    int recordsPerShard,
    int pageRecords,
    long delayMillis,
    int parallelism) {

  long records() {
    return (long) shards * recordsPerShard;
  }
}
