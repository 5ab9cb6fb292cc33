package io.cutover.source;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisRecord;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import io.cutover.lineage.EndReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reading of one shard: gets iterators, calls GetRecords ahead of the consumer, decides when
 * the shard ends, backs off alone. Every step runs on the poller's one thread, so nothing here is
 * shared.
 *
 * <p>The end is found by the first of: no next iterator; a record with arrival at or after T +
 * slack; 0 milliseconds behind latest on a call sent when the server's clock had passed T + slack.
 * An empty page, an estimate and the client's clock decide nothing.
 */
final class ShardReading {

  private static final Logger LOG = LoggerFactory.getLogger(ShardReading.class);

  /** The largest page there is: the estimate for the first one. */
  private static final long LARGEST_PAGE_BYTES = 10L << 20;

  private static final long SMALLEST_ESTIMATE_BYTES = 64L << 10;

  /** What a page weighs beside its records: without it, empty ones would queue without end. */
  private static final long PAGE_OVERHEAD_BYTES = 1L << 10;

  private final ShardSplit split;
  private final ShardPoller poller;
  private final RetentionGuard retention;
  private final Pace pace;
  private final Backoff backoff = new Backoff();

  private Position position;
  private Optional<String> iterator = Optional.empty();

  /** The server's clock at the last answer: what is sent now is sent later than that. */
  private Optional<Instant> lastAnswer = Optional.empty();

  private long expectedPageBytes = LARGEST_PAGE_BYTES;

  /** Since the last page. */
  private int throttles;

  private int renewals;

  ShardReading(ShardSplit split, ShardPoller poller, RetentionGuard retention, Pace pace) {
    this.split = split;
    this.poller = poller;
    this.retention = retention;
    this.pace = pace;
    this.position = split.ledger().position(poller.start());
  }

  String shardId() {
    return split.splitId();
  }

  void begin() {
    LOG.info("Shard {}: reading begins at {}.", shardId(), position);
    step();
  }

  private void step() {
    if (iterator.isPresent()) {
      long reservation = expectedPageBytes;
      poller.budget().reserve(reservation, () -> call(iterator.orElseThrow(), reservation));
    } else {
      poller.whenDone(
          poller.stream().iterator(shardId(), position),
          this::iteratorGiven,
          failure -> failed("GetShardIterator", failure));
    }
  }

  private void iteratorGiven(String given) {
    iterator = Optional.of(given);
    step();
  }

  private void call(String at, long reservation) {
    long began = poller.nanoTime();
    poller.whenDone(
        poller.stream().page(at, poller.maxRecords()),
        page -> {
          pace.called(began, page.bytes());
          answered(page, reservation);
        },
        failure -> {
          poller.budget().release(reservation);
          failed("GetRecords", failure);
        });
  }

  private void answered(Page served, long reservation) {
    if (!checked(served, reservation)) {
      return;
    }
    // Cut there, what is copied does not depend on where a server cuts its pages, nor on where a
    // restart took the reading up.
    Page page = served.upToFirst(record -> poller.boundary().endsAt(record.arrivalMillis()));
    backoff.succeeded();
    boolean sentPastBoundary = lastAnswer.map(poller.boundary()::passedBy).orElse(false);
    lastAnswer = Optional.of(page.serverTime());
    Optional<EndReason> end = end(page, sentPastBoundary);
    if (!page.records().isEmpty()) {
      KinesisRecord last = page.records().get(page.records().size() - 1);
      position = new Position.AfterSequence(last.sequenceNumber());
    }
    retention.read(page);
    long held = heldBytes(page);
    expectedPageBytes =
        Math.min(
            LARGEST_PAGE_BYTES,
            Math.max(SMALLEST_ESTIMATE_BYTES, Math.max(2 * held, expectedPageBytes / 2)));
    poller.deliver(new Fetched(this, page, throttles, renewals, end, held));
    throttles = 0;
    renewals = 0;
    poller.budget().settle(reservation, held);
    if (end.isPresent()) {
      LOG.info("Shard {}: reading ended, {}, behind {}.", shardId(), end.get(), position);
    } else {
      iterator = retention.keepsIterator(page) ? page.nextIterator() : Optional.empty();
      poller.after(pauseNanos(page), this::step);
    }
  }

  /** Whether the page may be taken; if the server could not be asked, it is fetched again. */
  private boolean checked(Page page, long reservation) {
    try {
      retention.check(page, position);
      return true;
    } catch (Refusal refusal) {
      throw refusal;
    } catch (RuntimeException unanswered) {
      poller.budget().release(reservation);
      failed("asking about the stream", unanswered);
      return false;
    }
  }

  private Optional<EndReason> end(Page page, boolean sentPastBoundary) {
    int records = page.records().size();
    if (records > 0 && poller.boundary().endsAt(page.records().get(records - 1).arrivalMillis())) {
      return Optional.of(EndReason.BOUNDARY);
    }
    if (page.nextIterator().isEmpty()) {
      return Optional.of(EndReason.CLOSED);
    }
    // Where records keep coming, the tip is never reached, but one of them ends the shard.
    return page.atTip() && sentPastBoundary ? Optional.of(EndReason.TIP) : Optional.empty();
  }

  private long pauseNanos(Page page) {
    long pause = pace.waitNanos(poller.nanoTime());
    return page.atTip() ? Math.max(pause, poller.idleNanos()) : pause;
  }

  /** Payload, keys, and what the objects weigh. */
  private static long heldBytes(Page page) {
    return PAGE_OVERHEAD_BYTES + page.bytes() + 200L * page.records().size();
  }

  private void failed(String call, Throwable thrown) {
    KinesisFailure failure = KinesisFailure.of(thrown);
    switch (failure) {
      case EXPIRED_ITERATOR -> {
        iterator = Optional.empty();
        renewals++;
        // An iterator that was given this moment and is already too old is a server's fault.
        poller.after(backoff.failed(poller.nanoTime()), this::step);
      }
      case THROTTLED -> {
        throttles++;
        poller.after(backoff.failed(poller.nanoTime()), this::step);
      }
      case TRANSIENT -> retry(call, thrown);
      case NOT_FOUND -> throw retention.vanished(position, thrown);
      case INVALID -> throw retention.refused(position, thrown);
      case EXPIRED_TOKEN, DENIED, KEY_UNUSABLE, UNKNOWN -> throw unanswered(call, failure, thrown);
    }
  }

  private void retry(String call, Throwable thrown) {
    long pause = backoff.failed(poller.nanoTime());
    long failingFor = backoff.failingForNanos(poller.nanoTime());
    if (failingFor > poller.retryTimeoutNanos()) {
      throw unanswered(
          call + " for " + TimeUnit.NANOSECONDS.toSeconds(failingFor) + " s",
          KinesisFailure.TRANSIENT,
          thrown);
    }
    poller.after(pause, this::step);
  }

  private UncheckedIOException unanswered(String call, KinesisFailure failure, Throwable thrown) {
    return new UncheckedIOException(
        new IOException(
            "shard "
                + shardId()
                + ": "
                + call
                + " failed at "
                + position
                + " ("
                + failure
                + "): "
                + thrown.getMessage(),
            thrown));
  }

  /**
   * A page on its way to the task.
   *
   * @param throttles since the page before
   * @param renewals since the page before
   * @param heldBytes what it takes of the budget until it is emitted
   */
  record Fetched(
      ShardReading reading,
      Page page,
      int throttles,
      int renewals,
      Optional<EndReason> end,
      long heldBytes) {}
}
