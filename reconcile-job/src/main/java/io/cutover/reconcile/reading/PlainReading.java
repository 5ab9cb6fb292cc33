package io.cutover.reconcile.reading;

import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import io.cutover.source.Pace;
import io.cutover.source.SourceOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The pages of one shard from a position on, one call after the other: paced, and repeated for as
 * long as that may help. An expired iterator is replaced by one behind the last record.
 */
public final class PlainReading {

  private static final Duration TRIMMED_MARGIN = Duration.ofMinutes(1);

  private final KinesisStream stream;
  private final String shard;
  private final int limit;
  private final Pace pace;
  private final Patience patience;
  private final Time time;

  private Position position;
  private Optional<String> iterator = Optional.empty();

  /**
   * Begins at the position; no call is made yet.
   *
   * @param config of which it takes how much to ask for, and how long to repeat a call that fails
   * @param pace of the shard, which goes on from one reading of it to the next
   */
  public PlainReading(
      KinesisStream stream,
      ReadableConfig config,
      String shard,
      Position position,
      Pace pace,
      Time time) {
    this.stream = stream;
    this.shard = shard;
    this.position = position;
    this.limit = config.get(SourceOptions.MAX_RECORDS);
    this.pace = pace;
    this.patience = new Patience(config.get(SourceOptions.RETRY_TIMEOUT), time);
    this.time = time;
  }

  /** How fast one shard may be read by the configuration. */
  public static Pace pace(ReadableConfig config, Time time) {
    return new Pace(
        config.get(SourceOptions.MAX_CALLS),
        config.get(SourceOptions.MAX_BYTES).getBytes(),
        time.nanos());
  }

  /**
   * Whether the page was served for a position that has been trimmed: such a one stays empty, and
   * about as far behind as the stream keeps its records.
   */
  public static boolean trimmed(Page page, Duration retention) {
    return page.records().isEmpty()
        && page.millisBehindLatest().orElse(0) >= retention.minus(TRIMMED_MARGIN).toMillis();
  }

  /**
   * The next page; not to be asked for behind the one that has no next iterator.
   *
   * @return nothing when the server does not have the shard, or the position, any more
   * @throws UncheckedIOException when the server does not answer, or as nothing known
   */
  public Optional<Page> next() throws InterruptedException {
    while (true) {
      try {
        if (iterator.isEmpty()) {
          iterator = Optional.of(stream.iterator(shard, position).join());
        }
        Page page = page(iterator.get());
        patience.answered();
        return Optional.of(page);
      } catch (RuntimeException failed) {
        KinesisFailure failure = KinesisFailure.of(failed);
        switch (failure) {
          case NOT_FOUND, INVALID -> {
            return Optional.empty();
          }
          case EXPIRED_ITERATOR -> {
            iterator = Optional.empty();
            patience.wait(shard, failure, failed);
          }
          case THROTTLED, TRANSIENT -> patience.wait(shard, failure, failed);
          case EXPIRED_TOKEN, DENIED, KEY_UNUSABLE, UNKNOWN ->
              throw unanswered(shard, failure, failed);
        }
      }
    }
  }

  private Page page(String at) throws InterruptedException {
    long wait = pace.waitNanos(time.nanos());
    if (wait > 0) {
      time.sleep(wait);
    }
    long began = time.nanos();
    Page page = stream.page(at, limit).join();
    pace.called(began, page.bytes());
    if (!page.records().isEmpty()) {
      position =
          new Position.AfterSequence(
              page.records().get(page.records().size() - 1).sequenceNumber());
    }
    iterator = page.nextIterator();
    return page;
  }

  static UncheckedIOException unanswered(
      String shard, KinesisFailure failure, RuntimeException cause) {
    return new UncheckedIOException(
        new IOException(
            "shard " + shard + ": a call failed (" + failure + "): " + cause.getMessage(), cause));
  }
}
