package io.cutover.local.stack;

import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Fills a stream with a week of history as a busy one would have it.
 *
 * <p>Two shards at first; a split, a merge across the two families and a split of a child follow,
 * so seven in all, four of them closed. Arrivals rise with small steps back. A third of the
 * customers write through the KPL. At the boundary records before and after T stand mixed.
 */
public final class Seeder {
  /** How far the history goes back from T. */
  public static final Duration HISTORY = Duration.ofDays(7);

  /** Leaves the oldest record a day to live. */
  public static final Duration RETENTION = Duration.ofDays(8);

  private static final int BURST = 8;
  private static final Duration WITHIN_BURST = Duration.ofMillis(50);
  private static final int JITTER_MILLIS = 200;
  private static final int MIXED = 5;
  private static final Duration AFTER_STEP = Duration.ofMillis(250);

  private final SeedPlan plan;
  private final EmulatedStream stream;
  private final SplittableRandom random;
  private final OrderEvents events;
  private final BigInteger[] hashKeys;
  private final ShardWriter[] writerOf;
  private final SeedCounter counter = new SeedCounter();

  private Seeder(KinesisEmulator emulator, SeedPlan plan) {
    this.plan = plan;
    Instant begin = plan.boundary().minus(HISTORY);
    stream = emulator.createStream(plan.stream(), 2, begin.minus(Duration.ofHours(1)));
    stream.retention(RETENTION);
    random = new SplittableRandom(plan.seed());
    events =
        new OrderEvents(random.split(), (int) Math.min(10_000, Math.max(50, plan.records() / 20)));
    hashKeys = new BigInteger[events.customers()];
    for (int i = 0; i < hashKeys.length; i++) {
      byte[] key = events.key(i).getBytes(StandardCharsets.UTF_8);
      hashKeys[i] = new BigInteger(1, KplAggregate.md5(key));
    }
    writerOf = new ShardWriter[hashKeys.length];
    route();
  }

  /** Creates the plan's stream and fills it; a few seconds for a million records. */
  public static SeedSummary seed(KinesisEmulator emulator, SeedPlan plan) {
    return new Seeder(emulator, plan).fill();
  }

  private SeedSummary fill() {
    Instant begin = plan.boundary().minus(HISTORY);
    List<Reshard> reshards = reshards();
    int done = 0;
    long after = Math.min(1_000, Math.max(10, plan.records() / 500));
    long written = 0;
    for (long i = 0; i < plan.records(); i++) {
      Instant at = historic(begin, i);
      while (done < reshards.size() && !at.isBefore(reshards.get(done).at())) {
        flush();
        reshards.get(done++).action().run();
        route();
      }
      boolean mixed = plan.records() - i <= MIXED;
      if (mixed) {
        flush();
      }
      write(jittered(begin, at), !mixed);
      if (mixed) {
        write(plan.boundary().plus(AFTER_STEP.multipliedBy(written++)), false);
      }
    }
    while (written < after) {
      write(plan.boundary().plus(AFTER_STEP.multipliedBy(written++)), true);
    }
    flush();
    return counter.summary(plan, stream.shards().size());
  }

  private record Reshard(Instant at, Runnable action) {}

  private List<Reshard> reshards() {
    Instant splitAt = plan.boundary().minus(Duration.ofDays(5));
    Instant mergeAt = plan.boundary().minus(Duration.ofDays(3));
    Instant childAt = plan.boundary().minus(Duration.ofHours(36));
    return List.of(
        new Reshard(splitAt, () -> stream.split(id(0), splitAt)),
        new Reshard(mergeAt, () -> stream.merge(id(3), id(1), mergeAt)),
        new Reshard(childAt, () -> stream.split(id(2), childAt)));
  }

  private String id(int ordinal) {
    return stream.shards().get(ordinal).id();
  }

  /**
   * In bursts, so that a small step back falls behind a neighbour however few records there are.
   */
  private Instant historic(Instant begin, long i) {
    long burst = i / BURST;
    long bursts = (plan.records() + BURST - 1) / BURST;
    long offset = (long) ((double) HISTORY.toMillis() / bursts * burst);
    return begin.plusMillis(offset).plus(WITHIN_BURST.multipliedBy(i % BURST));
  }

  private Instant jittered(Instant begin, Instant at) {
    Instant arrival = at;
    if (random.nextInt(4) == 0) {
      arrival = at.plusMillis(random.nextInt(-JITTER_MILLIS, JITTER_MILLIS + 1));
    }
    Instant last = plan.boundary().minusMillis(1);
    if (arrival.isBefore(begin)) {
      return begin;
    }
    return arrival.isAfter(last) ? last : arrival;
  }

  private void write(Instant arrival, boolean mayAggregate) {
    int customer = events.nextCustomer();
    byte[] data = events.nextEvent(customer, arrival);
    boolean before = arrival.isBefore(plan.boundary());
    counter.userRecord(before, data.length);
    ShardWriter writer = writerOf[customer];
    if (mayAggregate && customer % 3 == 0) {
      writer.aggregate(events.key(customer), data, arrival);
    } else {
      writer.plain(events.key(customer), data, arrival);
    }
  }

  /** Gives every customer the open shard that owns its hash key. */
  private void route() {
    List<ShardWriter> writers =
        stream.openShards().stream()
            .map(shard -> new ShardWriter(stream, shard, random.split(), counter))
            .toList();
    for (int i = 0; i < hashKeys.length; i++) {
      BigInteger hashKey = hashKeys[i];
      writerOf[i] =
          writers.stream().filter(writer -> writer.owns(hashKey)).findFirst().orElseThrow();
    }
  }

  private void flush() {
    for (ShardWriter writer : writerOf) {
      writer.flush();
    }
  }
}
