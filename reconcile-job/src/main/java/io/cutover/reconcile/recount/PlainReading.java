package io.cutover.reconcile.recount;

import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import io.cutover.source.Pace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * The pages of one shard from a position on, one call after the other: paced, and repeated for as
 * long as that may help. An expired iterator is replaced by one behind the last record.
 */
final class PlainReading {

  private final KinesisStream stream;
  private final String shard;
  private final int limit;
  private final Pace pace;
  private final Patience patience;
  private final Time time;

  private Position position;
  private Optional<String> iterator = Optional.empty();

  PlainReading(
      KinesisStream stream,
      String shard,
      Position position,
      int limit,
      Pace pace,
      Patience patience,
      Time time) {
    this.stream = stream;
    this.shard = shard;
    this.position = position;
    this.limit = limit;
    this.pace = pace;
    this.patience = patience;
    this.time = time;
  }

  /**
   * The next page; not to be asked for behind the one that has no next iterator.
   *
   * @return nothing when the server does not have the shard, or the position, any more
   * @throws UncheckedIOException when the server does not answer, or as nothing known
   */
  Optional<Page> next() throws InterruptedException {
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
          case EXPIRED_TOKEN, DENIED, UNKNOWN -> throw unanswered(shard, failure, failed);
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
            "shard "
                + shard
                + ": a call of the recount failed ("
                + failure
                + "): "
                + cause.getMessage(),
            cause));
  }
}
