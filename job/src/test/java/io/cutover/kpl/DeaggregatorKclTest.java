package io.cutover.kpl;

import static io.cutover.kpl.Given.assertMembers;
import static io.cutover.kpl.Given.record;
import static io.cutover.kpl.Given.taken;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Aggregates.Layout;
import io.cutover.kpl.Deaggregated.Kind;
import io.cutover.kpl.Given.Written;
import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import software.amazon.kinesis.retrieval.AggregatorUtil;
import software.amazon.kinesis.retrieval.KinesisClientRecord;

/**
 * Held against Amazon's own reader where that one loses nothing. Where it does, which a copy must
 * not, the difference is stated.
 */
class DeaggregatorKclTest {

  private static List<KinesisClientRecord> kcl(byte[] data, HashRange range) {
    KinesisClientRecord record =
        KinesisClientRecord.builder()
            .sequenceNumber(Given.SEQUENCE)
            .partitionKey(Given.OUTER_KEY)
            .approximateArrivalTimestamp(Instant.ofEpochMilli(Given.ARRIVAL))
            .data(ByteBuffer.wrap(data))
            .build();
    return new AggregatorUtil().deaggregate(List.of(record), range.start(), range.end());
  }

  private static void assertSame(Deaggregated ours, List<KinesisClientRecord> theirs) {
    assertThat(ours.records()).hasSameSizeAs(theirs);
    for (int i = 0; i < theirs.size(); i++) {
      UserRecord our = ours.records().get(i);
      KinesisClientRecord their = theirs.get(i);
      assertThat(our.origin().sequenceNumber()).isEqualTo(their.sequenceNumber());
      assertThat(our.origin().subSequence().isPresent()).isEqualTo(their.aggregated());
      assertThat((long) our.origin().subSequence().orElse(0)).isEqualTo(their.subSequenceNumber());
      assertThat(our.partitionKey()).contains(their.partitionKey());
      assertThat(our.explicitHashKey()).isEqualTo(Optional.ofNullable(their.explicitHashKey()));
      assertThat(our.arrivalMillis()).isEqualTo(their.approximateArrivalTimestamp().toEpochMilli());
      assertThat(ByteBuffer.wrap(our.data())).isEqualTo(their.data());
    }
  }

  @Property(tries = 300)
  void membersOfASoundAggregateAreTheSame(
      @ForAll("members") List<Written> members, @ForAll Layout layout) {
    byte[] blob = Aggregates.blob(members, layout);
    assertSame(taken(blob), kcl(blob, HashRange.ALL));
  }

  @Property(tries = 300)
  void recordWithoutTheMagicIsTheSame(@ForAll byte[] data) {
    assertSame(taken(data), kcl(data, HashRange.ALL));
  }

  @Example
  void recordWithAWrongMd5IsTheSame() {
    byte[] blob = new Wire().partitionKey("k").member(0, new byte[] {1}).sealed();
    blob[blob.length - 1] ^= 1;
    assertSame(taken(blob), kcl(blob, HashRange.ALL));
  }

  @Example
  void aggregateWithAMemberOfAnotherShardIsKeptWhereKclDropsIt() {
    HashRange one = new HashRange(BigInteger.ONE, BigInteger.ONE);
    byte[] data = {1};
    byte[] blob =
        new Wire()
            .partitionKey("k")
            .explicitHashKey("1")
            .explicitHashKey("2")
            .member(0, 0, data)
            .member(0, 1, data)
            .sealed();
    assertThat(kcl(blob, one)).isEmpty();
    Deaggregated ours = new Deaggregator(Given.SHARD, one).take(record(blob));
    assertMembers(
        ours,
        List.of(
            new Written("k", Optional.of("1"), data), new Written("k", Optional.of("2"), data)));
    assertThat(ours.outOfRange()).isOne();
  }

  @Example
  void aggregateOfNoMembersIsKeptWhereKclDropsIt() {
    byte[] blob = new Wire().partitionKey("k").sealed();
    assertThat(kcl(blob, HashRange.ALL)).isEmpty();
    Given.assertWhole(taken(blob), Kind.MALFORMED, blob);
  }

  @Provide
  Arbitrary<List<Written>> members() {
    return Aggregates.members();
  }
}
