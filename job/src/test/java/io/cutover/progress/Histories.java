package io.cutover.progress;

import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Pins of streams that were resharded, with hash keys counted in 64ths of all. */
final class Histories {

  static final int PARTS = 64;

  static final Instant FIRST = Instant.parse("2026-03-01T00:00:00Z");

  /** A hundred hours behind the first record. */
  static final Instant T = FIRST.plus(Duration.ofHours(100));

  static final Duration RETENTION = Duration.ofDays(7);

  private static final BigInteger PART = BigInteger.ONE.shiftLeft(122);

  private Histories() {}

  /** From the one 64th up to, not including, the other. */
  static Shard shard(String id, int from, int to, String... parents) {
    BigInteger end = PART.multiply(BigInteger.valueOf(to)).subtract(BigInteger.ONE);
    return new Shard(
        id, List.of(parents), new HashRange(PART.multiply(BigInteger.valueOf(from)), end), false);
  }

  static boolean owns(Shard shard, int part) {
    return shard.range().contains(PART.multiply(BigInteger.valueOf(part)));
  }

  static Pin pin(List<Shard> shards) {
    return pin(shards, List.of(new Pin.OldestArrival(shards.get(0).id(), Optional.of(FIRST))));
  }

  static Pin pin(List<Shard> shards, List<Pin.OldestArrival> oldest) {
    Pin any = Pins.any();
    Pin.PinnedStream stream = any.stream();
    return new Pin(
        T.plusSeconds(1),
        T,
        FIRST.minus(Duration.ofHours(10)),
        FIRST.minus(Duration.ofHours(10)),
        any.tallyWindow(),
        new Pin.PinnedStream(
            stream.name(),
            stream.arn(),
            stream.createdAt(),
            stream.mode(),
            stream.distributionStrategy(),
            RETENTION,
            stream.maxRecordSizeKiB()),
        any.topic(),
        shards,
        List.of(),
        oldest);
  }
}
