package io.cutover.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Lineage;
import io.cutover.lineage.LineageTracker.Status;
import io.cutover.lineage.Shard;
import io.cutover.source.LineageOutput.Copied;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class SerializerPropertyTest {

  @Property(tries = 500)
  void shardIsReadBackAsWritten(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    ShardLedger ledger = ledger(random, shard(random, 0));
    ShardSplit.Stage stage =
        ledger.end().isPresent()
            ? ShardSplit.Stage.ENDED
            : ShardSplit.Stage.values()[random.nextInt(3)];
    ShardSplit split = new ShardSplit(ledger, stage);
    ShardSplitSerializer serializer = new ShardSplitSerializer();
    assertThat(serializer.deserialize(2, serializer.serialize(split))).isEqualTo(split);
  }

  @Property(tries = 500)
  void lineageIsReadBackAsWrittenInItsOrder(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<Shard> shards = new ArrayList<>();
    Map<String, Status> statuses = new HashMap<>();
    for (int i = random.nextInt(20); i >= 0; i--) {
      Shard shard = shard(random, i);
      shards.add(shard);
      statuses.put(shard.id(), status(random));
    }
    LineageState state =
        new LineageState(
            "copy",
            random.nextBoolean() ? Optional.of("found é") : Optional.empty(),
            Lineage.of(shards),
            statuses);
    LineageStateSerializer serializer = new LineageStateSerializer();
    LineageState back = serializer.deserialize(2, serializer.serialize(state));
    assertThat(back).isEqualTo(state);
    assertThat(back.lineage().shards()).containsExactlyElementsOf(shards);
  }

  @Property(tries = 500)
  void endIsReadBackAsWritten(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    LineageOutput ended = new LineageOutput.ShardEnded(ledger(random, shard(random, 0)));
    LineageOutputSerializer serializer = new LineageOutputSerializer();
    assertThat(serializer.deserialize(2, serializer.serialize(ended))).isEqualTo(ended);
  }

  @Property(tries = 500)
  void recordIsReadBackAsWritten(
      @ForAll @StringLength(max = 256) String key,
      @ForAll boolean withKey,
      @ForAll boolean withHashKey,
      @ForAll long arrival,
      @ForAll byte[] data,
      @ForAll @IntRange(min = -1) int subSequence)
      throws IOException {
    // Text that came over the wire is sound: no half of a surrogate pair.
    String sound = new String(key.getBytes(UTF_8), UTF_8);
    UserRecord record =
        new UserRecord(
            new Origin(
                "shardId-000000000000",
                "49590338271490256608559692538361571095921575989136588898",
                subSequence < 0 ? OptionalInt.empty() : OptionalInt.of(subSequence)),
            withKey ? Optional.of(sound) : Optional.empty(),
            withHashKey ? Optional.of("0") : Optional.empty(),
            arrival,
            data);
    LineageOutputSerializer serializer = new LineageOutputSerializer();
    UserRecord back =
        ((Copied) serializer.deserialize(2, serializer.serialize(new Copied(record)))).record();
    assertThat(back.origin()).isEqualTo(record.origin());
    assertThat(back.partitionKey()).isEqualTo(record.partitionKey());
    assertThat(back.explicitHashKey()).isEqualTo(record.explicitHashKey());
    assertThat(back.arrivalMillis()).isEqualTo(arrival);
    assertThat(back.data()).isEqualTo(data);
  }

  @Example
  void keyOfAMemberMayBeLongerThan64KiB() throws IOException {
    String key = "k".repeat(70_000);
    UserRecord record =
        new UserRecord(
            new Origin("s", "1", OptionalInt.of(0)),
            Optional.of(key),
            Optional.empty(),
            1,
            new byte[0]);
    LineageOutputSerializer serializer = new LineageOutputSerializer();
    Copied back = (Copied) serializer.deserialize(2, serializer.serialize(new Copied(record)));
    assertThat(back.record().partitionKey()).contains(key);
  }

  private static Shard shard(Random random, int number) {
    List<String> parents = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      parents.add("parent-" + i);
    }
    BigInteger one = new BigInteger(128, random);
    BigInteger two = new BigInteger(128, random);
    return new Shard(
        "shardId-" + number,
        parents,
        new HashRange(one.min(two), one.max(two)),
        random.nextBoolean());
  }

  private static Status status(Random random) {
    EndReason reason = reason(random);
    return switch (random.nextInt(4)) {
      case 0 -> new Status.Waiting();
      case 1 -> new Status.Reading();
      case 2 -> new Status.Ended(reason, random.nextInt(1000));
      default -> new Status.Covered(reason);
    };
  }

  private static EndReason reason(Random random) {
    return EndReason.values()[random.nextInt(EndReason.values().length)];
  }

  private static Optional<Mark> mark(Random random) {
    return random.nextBoolean()
        ? Optional.of(new Mark(new BigInteger(190, random).toString(), random.nextLong()))
        : Optional.empty();
  }

  private static ShardLedger ledger(Random random, Shard shard) {
    return new ShardLedger(
        shard,
        mark(random),
        mark(random),
        mark(random),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        random.nextLong(),
        millis(random),
        random.nextBoolean() ? Optional.of(reason(random)) : Optional.empty(),
        new ReadCost(
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            random.nextLong(),
            millis(random),
            millis(random)));
  }

  private static OptionalLong millis(Random random) {
    return random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty();
  }
}
