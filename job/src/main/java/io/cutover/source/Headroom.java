package io.cutover.source;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Gauge;

/**
 * How far retention is behind the reading of a subtask's shards: the smallest, over those that are
 * being read, of the instant up to which the shard is read, plus the retention, less the server's
 * clock. Milliseconds; the largest number there is while no shard that was begun is unread, since
 * nothing can expire then. A retention that was raised since the job began is not in it.
 */
final class Headroom implements Gauge<Long> {

  private final long retentionMillis;

  /** By shard, the instant up to which everything has been read, epoch milliseconds. */
  private final Map<String, Long> completeUpTo = new ConcurrentHashMap<>();

  private volatile long serverMillis;

  Headroom(StreamLife life) {
    this.retentionMillis = life.retention().toMillis();
  }

  void at(ShardLedger ledger, long serverMillis) {
    this.serverMillis = Math.max(this.serverMillis, serverMillis);
    ledger.completeUpToMillis().ifPresent(millis -> completeUpTo.put(ledger.shard().id(), millis));
  }

  void ended(ShardLedger ledger) {
    completeUpTo.remove(ledger.shard().id());
  }

  @Override
  public Long getValue() {
    return completeUpTo.values().stream()
        .mapToLong(millis -> millis + retentionMillis - serverMillis)
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
