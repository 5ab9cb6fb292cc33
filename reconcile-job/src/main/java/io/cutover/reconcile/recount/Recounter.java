package io.cutover.reconcile.recount;

import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import io.cutover.reconcile.reading.PlainReading;
import io.cutover.reconcile.reading.Time;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.source.Pace;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Counts the user records of single windows of shards once more, in a plain loop that shares
 * neither the source nor the de-aggregation with the copy: what those are blind to, it may see.
 *
 * <p>One call at a time, at the same pace as the source, so that the live consumers keep their
 * share. Confined to one thread.
 */
public final class Recounter implements AutoCloseable {

  /** The server's clock comes in whole seconds, rounded down. */
  private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

  private final KinesisStream stream;
  private final ReadableConfig config;
  private final Duration retention;
  private final Time time;
  private final Map<String, Pace> paces = new HashMap<>();

  /**
   * Opens a door of its own to the stream; no call is made yet.
   *
   * @param retention of the stream
   */
  public Recounter(ReadableConfig config, Duration retention) {
    this(config, retention, Time.SYSTEM);
  }

  Recounter(ReadableConfig config, Duration retention, Time time) {
    this.stream = new KinesisStream(config, 1);
    this.config = config;
    this.retention = retention;
    this.time = time;
  }

  /**
   * What arrived in one shard from {@code start} on and before {@code end}, in the past.
   *
   * @param lowest the lowest sequence number that is known to be in the window
   * @param highest the highest one
   * @param slack how far arrivals may be out of order: the reading begins so far before the window,
   *     or at the lowest sequence number where that stands further ahead, and ends behind both the
   *     highest one and a record that arrived so far behind the window
   * @return nothing when some of it may have expired, or the shard is gone: it would be less
   * @throws java.io.UncheckedIOException when the server does not answer
   */
  public Optional<Count> count(
      String shard,
      Instant start,
      Instant end,
      Optional<String> lowest,
      Optional<String> highest,
      Duration slack)
      throws InterruptedException {
    WindowCount counted = new WindowCount(start, end, highest, slack);
    PlainReading reading = reading(shard, new Position.AtTimestamp(start.minus(slack)));
    Optional<String> toReach = lowest;
    boolean fromLowest = false;
    while (true) {
      Optional<Page> next = reading.next();
      if (next.isEmpty() || mayHaveExpired(next.get(), start)) {
        return Optional.empty();
      }
      Page page = next.get();
      boolean over = counted.isOverWith(page);
      boolean tellsWhereItBegan = over || !page.records().isEmpty();
      if (tellsWhereItBegan && toReach.isPresent() && beganBehind(page, toReach.get())) {
        if (fromLowest) {
          return Optional.empty();
        }
        fromLowest = true;
        reading = reading(shard, new Position.AtSequence(toReach.get()));
        counted = new WindowCount(start, end, highest, slack);
      } else {
        toReach = tellsWhereItBegan ? Optional.empty() : toReach;
        counted.take(page.records());
        if (over) {
          return Optional.of(counted.count());
        }
      }
    }
  }

  private static boolean beganBehind(Page page, String lowest) {
    return page.records().isEmpty()
        || new BigInteger(page.records().get(0).sequenceNumber()).compareTo(new BigInteger(lowest))
            > 0;
  }

  /** What had not expired when the last page was served was there when it was counted. */
  private boolean mayHaveExpired(Page page, Instant start) {
    Instant horizon = page.serverTime().plus(CLOCK_STEP).minus(retention);
    return horizon.isAfter(start) || PlainReading.trimmed(page, retention);
  }

  private PlainReading reading(String shard, Position position) {
    Pace pace = paces.computeIfAbsent(shard, s -> PlainReading.pace(config, time));
    return new PlainReading(stream, config, shard, position, pace, time);
  }

  @Override
  public void close() {
    stream.close();
  }
}
