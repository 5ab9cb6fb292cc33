package io.cutover.preflight;

import io.cutover.kinesis.StreamDescription;
import io.cutover.lineage.Shard;
import java.util.List;

/**
 * What was learnt of the stream.
 *
 * @param address the endpoint that was asked, or the region
 * @param iterator whether a shard iterator was given
 * @param page whether records were given
 */
record StreamFacts(
    String address,
    Told<StreamDescription> stream,
    Told<List<Shard>> shards,
    Told<Boolean> iterator,
    Told<Boolean> page) {}
