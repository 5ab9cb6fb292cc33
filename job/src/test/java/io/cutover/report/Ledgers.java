package io.cutover.report;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.source.Mark;
import io.cutover.source.ReadCost;
import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Two ledgers: one with every field set, one with none. */
public final class Ledgers {

  public static final ShardLedger FULL =
      new ShardLedger(
          new Shard(
              "shardId-000000000002",
              List.of("shardId-000000000000", "shardId-000000000001"),
              new HashRange(BigInteger.TEN, HashRange.MAX),
              true),
          Optional.of(new Mark("4959033827", 1_700_000_000_000L)),
          Optional.of(new Mark("4959033829", 1_700_000_000_250L)),
          Optional.of(new Mark("4959033828", 1_700_000_000_200L)),
          10,
          1234,
          3,
          2,
          1,
          4,
          OptionalLong.of(1_700_000_000_250L),
          Optional.of(EndReason.CLOSED),
          new ReadCost(
              7,
              2,
              3,
              1,
              OptionalLong.of(1_700_000_100_000L),
              OptionalLong.of(1_700_000_160_000L)));

  public static final ShardLedger UNREAD =
      new ShardLedger(
          new Shard("shardId-000000000001", List.of(), HashRange.ALL, false),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          0,
          0,
          0,
          0,
          0,
          0,
          OptionalLong.empty(),
          Optional.of(EndReason.UNREAD),
          ReadCost.NONE);

  private Ledgers() {}

  /** The tallies of what {@link #FULL} counts. */
  public static Tallies witnessOfFull() {
    Tallies witness = new Tallies();
    witness.add(FULL.shard().id(), -2, new Tally(7, 1000, 1, -1, "4959033827", "4959033828"));
    witness.add(FULL.shard().id(), -1, new Tally(3, 234, 0, 2, "4959033828", "4959033829"));
    return witness;
  }
}
