package io.cutover.reconcile.drilldown;

import java.util.Optional;

/**
 * What came of reading a shard once more.
 *
 * @param first the sequence number of the first record that was served
 * @param failure why it was not read to its end; absent when it was
 */
public record ShardRead(String shard, Optional<String> first, Optional<String> failure) {}
