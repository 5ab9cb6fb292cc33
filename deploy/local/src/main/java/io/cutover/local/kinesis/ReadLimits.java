package io.cutover.local.kinesis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * AWS's limits on GetRecords: 5 calls and 2 MiB a second and shard, and a page above 2 MiB paid off
 * before the next call (10 MiB: 5 seconds).
 */
final class ReadLimits {

  private static final int CALLS_PER_SECOND = 5;
  private static final long BYTES_PER_SECOND = 2L << 20;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private record Read(Instant at, long bytes) {}

  /** What one shard has given within the last second. */
  private static final class Window {
    private final Deque<Instant> calls = new ArrayDeque<>();
    private final Deque<Read> reads = new ArrayDeque<>();
    private Instant paidOffAt = Instant.MIN;

    private void forget(Instant now) {
      Instant since = now.minus(SECOND);
      while (!calls.isEmpty() && !calls.peekFirst().isAfter(since)) {
        calls.removeFirst();
      }
      while (!reads.isEmpty() && !reads.peekFirst().at().isAfter(since)) {
        reads.removeFirst();
      }
    }
  }

  private final Map<EmulatedShard, Window> windows = new ConcurrentHashMap<>();

  /** Counts the call, or throws ProvisionedThroughputExceededException. */
  void admit(EmulatedShard shard, Instant now) {
    Window window = windows.computeIfAbsent(shard, s -> new Window());
    synchronized (window) {
      window.forget(now);
      long bytes = window.reads.stream().mapToLong(Read::bytes).sum();
      if (window.calls.size() >= CALLS_PER_SECOND
          || bytes >= BYTES_PER_SECOND
          || now.isBefore(window.paidOffAt)) {
        throw KinesisError.throttled("Rate exceeded for shard " + shard.id());
      }
      window.calls.addLast(now);
    }
  }

  void charge(EmulatedShard shard, List<StoredRecord> records, Instant now) {
    Window window = windows.computeIfAbsent(shard, s -> new Window());
    long bytes = records.stream().mapToLong(StoredRecord::weight).sum();
    synchronized (window) {
      window.reads.addLast(new Read(now, bytes));
      if (bytes > BYTES_PER_SECOND) {
        window.paidOffAt = now.plusMillis(bytes * 1000 / BYTES_PER_SECOND);
      }
    }
  }
}
