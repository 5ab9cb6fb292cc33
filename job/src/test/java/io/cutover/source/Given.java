package io.cutover.source;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kinesis.Page;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Values that several tests of this package start from. */
final class Given {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  static final Shard SHARD =
      new Shard(
          "shardId-000000000003",
          List.of("shardId-000000000001", "shardId-000000000002"),
          new HashRange(BigInteger.TEN, HashRange.MAX),
          true);

  /** Every field set. */
  static final ShardLedger LEDGER =
      new ShardLedger(
          SHARD,
          Optional.of(new Mark("100", 1_700_000_000_000L)),
          Optional.of(new Mark("300", 1_700_000_000_300L)),
          Optional.of(new Mark("200", 1_700_000_000_200L)),
          1,
          2,
          3,
          4,
          5,
          6,
          OptionalLong.of(1_700_000_000_400L),
          Optional.of(EndReason.BOUNDARY),
          new ReadCost(
              7,
              8,
              9,
              10,
              OptionalLong.of(1_700_000_001_000L),
              OptionalLong.of(1_700_000_002_000L)));

  private Given() {}

  static Shard shard(String id, String... parents) {
    return new Shard(id, List.of(parents), HashRange.ALL, false);
  }

  static KinesisRecord record(String sequence, Instant arrival) {
    return new KinesisRecord(sequence, Optional.of("key"), arrival.toEpochMilli(), new byte[] {1});
  }

  /** A page with an iterator behind it, served at an instant. */
  static Page page(Instant served, OptionalLong behind, KinesisRecord... records) {
    return new Page(List.of(records), Optional.of("next"), behind, served, records.length);
  }
}
