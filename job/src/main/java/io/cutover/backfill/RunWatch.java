package io.cutover.backfill;

import io.cutover.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what must be done every so often while a run goes on, on a thread of its own, and remembers
 * the first refusal. What only a server's silence refused is tried again the next time.
 */
final class RunWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RunWatch.class);

  private static final long CLOSING_SECONDS = 5;

  private final AtomicReference<Optional<Refusal>> refused =
      new AtomicReference<>(Optional.empty());

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread daemon = new Thread(task, "run-watch");
            daemon.setDaemon(true);
            return daemon;
          });

  void every(Duration interval, Runnable task) {
    thread.scheduleWithFixedDelay(
        () -> attempt(task), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void attempt(Runnable task) {
    try {
      task.run();
    } catch (Refusal refusal) {
      if (Fatal.passing(refusal)) {
        LOG.warn("Tried again soon: {}", refusal.getMessage());
      } else {
        refused.compareAndSet(Optional.empty(), Optional.of(refusal));
      }
    } catch (RuntimeException failure) {
      LOG.warn("Tried again soon.", failure);
    }
  }

  /**
   * @throws Refusal the first one, if there was any
   */
  void rethrow() {
    refused
        .get()
        .ifPresent(
            refusal -> {
              throw refusal;
            });
  }

  /** Begins nothing any more, and waits for what is under way: a file is not left half written. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
