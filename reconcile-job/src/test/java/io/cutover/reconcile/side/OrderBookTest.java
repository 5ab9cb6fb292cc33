package io.cutover.reconcile.side;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class OrderBookTest {

  private final OrderBook book = new OrderBook();
  private long offset = 100;

  private void take(String shard, String sequence) {
    take(0, shard, sequence, OptionalInt.empty(), false);
  }

  private void take(
      int partition, String shard, String sequence, OptionalInt sub, boolean afterBoundary) {
    book.take(partition, new Origin(shard, sequence, sub), afterBoundary, offset++);
  }

  private void member(String sequence, int sub) {
    take(0, "a", sequence, OptionalInt.of(sub), false);
  }

  @Test
  void risingOriginsAreInOrder() {
    take("a", "9");
    take("a", "10"); // as numbers, not as text
    take("a", "49590338271490256608559692538361571095921575989136588898");
    assertThat(book.violations()).isEqualTo(Sampled.NONE);
  }

  @Test
  void sameOriginTwiceInARowIsNotOutOfOrder() {
    take("a", "1");
    take("a", "2");
    take("a", "2");
    take("a", "2");
    take("a", "3");
    assertThat(book.violations().count()).isZero();
  }

  @Test
  void sameOriginAgainBehindALaterOneIsOutOfOrder() {
    take("a", "1");
    take("a", "2");
    take("a", "1");
    assertThat(book.violations().count()).isEqualTo(1);
    assertThat(book.violations().samples())
        .containsExactly("a 1 at partition 0 offset 102 stands behind a 2 at offset 101");
  }

  @Test
  void swapIsOneViolationAndTheNextRecordNone() {
    take("a", "1");
    take("a", "3");
    take("a", "2");
    take("a", "4");
    assertThat(book.violations().count()).isEqualTo(1);
  }

  @Test
  void everyRecordBehindOneThatCameTooEarlyIsAViolation() {
    take("a", "9");
    take("a", "2");
    take("a", "3");
    assertThat(book.violations().count()).isEqualTo(2);
  }

  @Test
  void membersOfOneAggregateStandInTheOrderOfTheirNumbers() {
    member("5", 0);
    member("5", 1);
    member("5", 10);
    assertThat(book.violations().count()).isZero();
    member("5", 2);
    assertThat(book.violations().samples())
        .containsExactly("a 5/2 at partition 0 offset 103 stands behind a 5/10 at offset 102");
    member("6", 0);
    assertThat(book.violations().count()).isEqualTo(1);
  }

  @Test
  void shardsAreNotHeldAgainstEachOther() {
    take("a", "5");
    take("b", "1");
    take("a", "6");
    take("b", "2");
    assertThat(book.violations().count()).isZero();
    take("a", "5");
    assertThat(book.violations().count()).isEqualTo(1);
  }

  @Test
  void partitionsAreNotHeldAgainstEachOther() {
    take(0, "a", "5", OptionalInt.empty(), false);
    take(1, "a", "1", OptionalInt.empty(), false);
    take(0, "a", "6", OptionalInt.empty(), false);
    assertThat(book.violations().count()).isZero();
  }

  @Test
  void sidesOfTAreNotHeldAgainstEachOther() {
    // The tail copies what the backfill skipped, behind all that the backfill copied.
    take(0, "a", "5", OptionalInt.empty(), true);
    take(0, "a", "4", OptionalInt.empty(), false);
    take(0, "a", "6", OptionalInt.empty(), true);
    assertThat(book.violations().count()).isZero();
    take(0, "a", "3", OptionalInt.empty(), true);
    assertThat(book.violations().count()).isEqualTo(1);
  }

  @Test
  void firstAndLastOffsetOfEachShardAreToldBySideOfT() {
    take("a", "1");
    take("b", "1");
    take(0, "a", "2", OptionalInt.empty(), true);
    take("a", "3");
    take(1, "a", "4", OptionalInt.empty(), false);
    assertThat(book.shards())
        .containsExactlyInAnyOrder(
            new ShardInPartition(0, "a", false, 100, 103),
            new ShardInPartition(0, "b", false, 101, 101),
            new ShardInPartition(0, "a", true, 102, 102),
            new ShardInPartition(1, "a", false, 104, 104));
  }

  @Test
  void recordOutOfOrderIsTheLastOfItsShardToo() {
    take("a", "2");
    take("a", "1");
    assertThat(book.shards()).containsExactly(new ShardInPartition(0, "a", false, 100, 101));
  }

  @Property
  void recordIsOutOfOrderExactlyWhenALargerOneOfItsShardStandsBeforeIt(
      @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 30) Integer> sequences,
      @ForAll @IntRange(min = 1, max = 3) int shards) {
    OrderBook taken = new OrderBook();
    List<BigInteger> before = new ArrayList<>();
    List<Integer> shardsBefore = new ArrayList<>();
    long expected = 0;
    for (int i = 0; i < sequences.size(); i++) {
      BigInteger sequence = BigInteger.valueOf(sequences.get(i));
      int shard = sequences.get(i) % shards;
      taken.take(
          0, new Origin("shard-" + shard, sequence.toString(), OptionalInt.empty()), false, i);
      boolean larger = false;
      for (int j = 0; j < i; j++) {
        larger |= shardsBefore.get(j) == shard && before.get(j).compareTo(sequence) > 0;
      }
      expected += larger ? 1 : 0;
      before.add(sequence);
      shardsBefore.add(shard);
    }
    assertThat(taken.violations().count()).isEqualTo(expected);
  }
}
