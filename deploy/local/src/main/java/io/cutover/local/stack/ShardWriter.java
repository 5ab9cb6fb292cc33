package io.cutover.local.stack;

import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.PutSpec;
import java.math.BigInteger;
import java.time.Instant;
import java.util.SplittableRandom;

/**
 * Writes to one shard as its producers do: some records alone, some gathered as the KPL gathers.
 */
final class ShardWriter {
  /** What the KPL puts as the key of an aggregate, whatever the keys of its members. */
  private static final String OUTER_KEY = "a";

  private static final int FEWEST_MEMBERS = 2;
  private static final int MOST_MEMBERS = 30;

  private final EmulatedStream stream;
  private final EmulatedShard shard;
  private final SplittableRandom random;
  private final SeedCounter counter;
  private KplAggregate gathering = new KplAggregate();
  private int wanted;
  private Instant lastArrival = Instant.EPOCH;

  ShardWriter(
      EmulatedStream stream, EmulatedShard shard, SplittableRandom random, SeedCounter counter) {
    this.stream = stream;
    this.shard = shard;
    this.random = random;
    this.counter = counter;
    this.wanted = nextSize();
  }

  boolean owns(BigInteger hashKey) {
    return shard.start().compareTo(hashKey) <= 0 && hashKey.compareTo(shard.end()) <= 0;
  }

  void plain(String key, byte[] data, Instant arrival) {
    stream.put(shard.id(), PutSpec.of(key, data, arrival));
    counter.plain();
  }

  /** The aggregate arrives with its last member. */
  void aggregate(String key, byte[] data, Instant arrival) {
    gathering.add(key, data);
    lastArrival = arrival;
    if (gathering.size() == wanted) {
      flush();
    }
  }

  void flush() {
    if (gathering.size() == 0) {
      return;
    }
    PutSpec spec = PutSpec.of(OUTER_KEY, gathering.encode(), lastArrival);
    stream.put(shard.id(), spec.explicitHashKey(shard.start()));
    counter.aggregate(gathering.size());
    gathering = new KplAggregate();
    wanted = nextSize();
  }

  private int nextSize() {
    return random.nextInt(FEWEST_MEMBERS, MOST_MEMBERS + 1);
  }
}
