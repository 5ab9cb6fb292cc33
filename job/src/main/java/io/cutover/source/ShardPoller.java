package io.cutover.source;

import io.cutover.kinesis.KinesisStream;
import io.cutover.lineage.Boundary;
import io.cutover.source.ShardReading.Fetched;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Reads all shards of one subtask at once. One thread drives the readings' steps; the calls
 * themselves are asynchronous. What they bring waits in a queue, bounded by the budget, for the
 * fetcher thread.
 */
final class ShardPoller implements AutoCloseable {

  private final KinesisStream stream;
  private final ReadableConfig config;
  private final ReadStart start;
  private final Boundary boundary;
  private final StreamLife life;
  private final ReadBudget budget;
  private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
  private final ScheduledThreadPoolExecutor thread;

  /** What the fetcher finds in the queue. */
  sealed interface Delivery {
    record Items(Fetched fetched) implements Delivery {}

    record Failure(Throwable cause) implements Delivery {}

    record Wake() implements Delivery {}
  }

  ShardPoller(
      KinesisStream stream,
      ReadableConfig config,
      ReadStart start,
      Boundary boundary,
      StreamLife life) {
    this.stream = stream;
    this.config = config;
    this.start = start;
    this.boundary = boundary;
    this.life = life;
    this.budget = new ReadBudget(config.get(SourceOptions.BUFFER).getBytes());
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            runnable -> {
              Thread driver = new Thread(runnable, "shard-poller");
              driver.setDaemon(true);
              return driver;
            });
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Begins to read the shard. */
  void add(ShardSplit split) {
    Pace pace =
        new Pace(
            config.get(SourceOptions.MAX_CALLS),
            config.get(SourceOptions.MAX_BYTES).getBytes(),
            nanoTime());
    RetentionGuard guard =
        new RetentionGuard(
            split,
            life,
            start,
            config.get(SourceOptions.RETENTION_MARGIN),
            new AskedStream(stream));
    ShardReading reading = new ShardReading(split, this, guard, pace);
    onThread(reading::begin);
  }

  /** Waits for the next delivery. */
  Delivery take() throws InterruptedException {
    return deliveries.take();
  }

  void wake() {
    deliveries.add(new Delivery.Wake());
  }

  void deliver(Fetched fetched) {
    deliveries.add(new Delivery.Items(fetched));
  }

  /** From the task thread: the page was emitted whole. */
  void emitted(long bytes) {
    onThread(() -> budget.release(bytes));
  }

  /** Goes on, on the poller's thread, with what the call brings. */
  <T> void whenDone(CompletableFuture<T> call, Consumer<T> answered, Consumer<Throwable> failed) {
    call.whenComplete(
        (answer, failure) ->
            onThread(
                () -> {
                  if (failure == null) {
                    answered.accept(answer);
                  } else {
                    failed.accept(failure);
                  }
                }));
  }

  void after(long nanos, Runnable step) {
    if (nanos <= 0) {
      guarded(step).run();
    } else {
      thread.schedule(guarded(step), nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void onThread(Runnable step) {
    try {
      thread.execute(guarded(step));
    } catch (RejectedExecutionException closed) {
      if (!thread.isShutdown()) {
        throw closed;
      }
    }
  }

  /** Whatever a step throws reaches the task, never only this thread. */
  private Runnable guarded(Runnable step) {
    return () -> {
      try {
        step.run();
      } catch (Throwable thrown) {
        deliveries.add(new Delivery.Failure(thrown));
      }
    };
  }

  KinesisStream stream() {
    return stream;
  }

  /** Where the reading of a shard begins. */
  ReadStart start() {
    return start;
  }

  Boundary boundary() {
    return boundary;
  }

  ReadBudget budget() {
    return budget;
  }

  int maxRecords() {
    return config.get(SourceOptions.MAX_RECORDS);
  }

  long idleNanos() {
    return config.get(SourceOptions.IDLE_INTERVAL).toNanos();
  }

  long retryTimeoutNanos() {
    return config.get(SourceOptions.RETRY_TIMEOUT).toNanos();
  }

  long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    stream.close();
  }
}
