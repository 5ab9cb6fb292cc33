package io.cutover.source;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The bytes that one subtask may hold fetched or on their way. A call reserves what its page is
 * expected to hold and settles for what it held; a page that outgrew its estimate holds up the next
 * calls. Shards wait in turn, so that a fast one does not starve the others.
 *
 * <p>Confined to the poller's thread.
 */
final class ReadBudget {

  private record Waiter(long bytes, Runnable resume) {}

  private final long capacity;
  private final Deque<Waiter> waiters = new ArrayDeque<>();
  private long reserved;

  ReadBudget(long capacity) {
    this.capacity = capacity;
  }

  /** Runs {@code resume} when the bytes are reserved: now, or when others were released. */
  void reserve(long bytes, Runnable resume) {
    waiters.add(new Waiter(bytes, resume));
    serve();
  }

  /** Gives bytes back. */
  void release(long bytes) {
    reserved -= bytes;
    serve();
  }

  /** Corrects a reservation to what it really holds. */
  void settle(long reservation, long held) {
    reserved += held - reservation;
    serve();
  }

  private void serve() {
    // One call is always let through, however small the capacity.
    while (!waiters.isEmpty() && (reserved == 0 || reserved + waiters.peek().bytes() <= capacity)) {
      Waiter waiter = waiters.poll();
      reserved += waiter.bytes();
      waiter.resume().run();
    }
  }

  long reserved() {
    return reserved;
  }
}
