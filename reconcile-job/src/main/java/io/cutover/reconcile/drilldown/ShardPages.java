package io.cutover.reconcile.drilldown;

import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisRecord;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import io.cutover.source.Backoff;
import io.cutover.source.Pace;
import io.cutover.source.SourceOptions;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.flink.configuration.ReadableConfig;

/**
 * A plain loop over the pages of one shard after the other, within the same budget of calls as the
 * source has. Throttling has no end; other passing failures are retried as long as the source
 * would.
 */
final class ShardPages implements AutoCloseable {

  private final ReadableConfig config;
  private final KinesisStream stream;

  ShardPages(ReadableConfig config) {
    this.config = config;
    this.stream = new KinesisStream(config, 1);
  }

  /**
   * Reads from the position on, until no more is wanted, the shard is closed and read to its end,
   * or its tip is reached.
   *
   * @param more takes a page and says whether to go on
   * @return why it could not be read so far; absent when it was
   */
  Optional<String> read(String shard, Position from, Predicate<Page> more) {
    Pace pace =
        new Pace(
            config.get(SourceOptions.MAX_CALLS),
            config.get(SourceOptions.MAX_BYTES).getBytes(),
            System.nanoTime());
    Position position = from;
    try {
      Optional<String> iterator = Optional.of(iterator(shard, position));
      while (iterator.isPresent()) {
        pause(pace.waitNanos(System.nanoTime()));
        String at = iterator.get();
        long began = System.nanoTime();
        Optional<Page> served = page(at);
        if (served.isEmpty()) {
          iterator = Optional.of(iterator(shard, position));
          continue;
        }
        Page page = served.get();
        pace.called(began, page.bytes());
        for (KinesisRecord record : page.records()) {
          position = new Position.AfterSequence(record.sequenceNumber());
        }
        boolean tip = page.records().isEmpty() && page.atTip();
        iterator = more.test(page) && !tip ? page.nextIterator() : Optional.empty();
      }
      return Optional.empty();
    } catch (Unreadable unreadable) {
      return Optional.of("shard " + shard + " at " + position + ": " + unreadable.getMessage());
    }
  }

  private String iterator(String shard, Position position) {
    return asked(() -> stream.iterator(shard, position)).orElseThrow();
  }

  /** Nothing where the iterator has expired. */
  private Optional<Page> page(String iterator) {
    return asked(() -> stream.page(iterator, config.get(SourceOptions.MAX_RECORDS)));
  }

  private <T> Optional<T> asked(Supplier<CompletableFuture<T>> call) {
    Backoff backoff = new Backoff();
    while (true) {
      try {
        return Optional.of(call.get().join());
      } catch (CompletionException e) {
        KinesisFailure failure = KinesisFailure.of(e.getCause());
        if (failure == KinesisFailure.EXPIRED_ITERATOR) {
          return Optional.empty();
        }
        boolean again =
            failure == KinesisFailure.THROTTLED
                || failure == KinesisFailure.TRANSIENT
                    && backoff.failingForNanos(System.nanoTime())
                        < config.get(SourceOptions.RETRY_TIMEOUT).toNanos();
        if (!again) {
          throw new Unreadable(failure + ", " + e.getCause().getMessage());
        }
        pause(backoff.failed(System.nanoTime()));
      }
    }
  }

  private static void pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unreadable("interrupted");
    }
  }

  /** The shard cannot be read. */
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
