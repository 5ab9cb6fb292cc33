package io.cutover.kpl;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregated.Kind;
import io.cutover.lineage.HashRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What the tests put in, and what "whole" means for all of them. */
final class Given {

  static final String SHARD = "shardId-000000000007";
  static final String SEQUENCE = "49590338271490256608559692538361571095921575989136588898";
  static final String OUTER_KEY = "a";
  static final long ARRIVAL = 1_700_000_000_123L;

  private Given() {}

  static KinesisRecord record(byte[] data) {
    return new KinesisRecord(SEQUENCE, Optional.of(OUTER_KEY), ARRIVAL, data);
  }

  static Deaggregated taken(byte[] data) {
    return new Deaggregator(SHARD, HashRange.ALL).take(record(data));
  }

  static Deaggregated taken(Wire body) {
    return taken(body.sealed());
  }

  /** One user record that is the Kinesis record to the bit, its data by reference. */
  static void assertWhole(Deaggregated taken, Kind kind, byte[] data) {
    assertThat(taken.kind()).isEqualTo(kind);
    assertThat(taken.outOfRange()).isZero();
    assertThat(taken.records()).hasSize(1);
    UserRecord record = taken.records().get(0);
    assertThat(record.origin()).isEqualTo(new Origin(SHARD, SEQUENCE, OptionalInt.empty()));
    assertThat(record.partitionKey()).contains(OUTER_KEY);
    assertThat(record.explicitHashKey()).isEmpty();
    assertThat(record.arrivalMillis()).isEqualTo(ARRIVAL);
    assertThat(record.data()).isSameAs(data);
  }

  static void assertMalformed(byte[] data) {
    byte[] before = data.clone();
    assertWhole(taken(data), Kind.MALFORMED, data);
    assertThat(data).isEqualTo(before);
  }

  static void assertMalformed(Wire body) {
    assertMalformed(body.sealed());
  }

  /** One user record per member, in order, each with its own keys and its index. */
  static void assertMembers(Deaggregated taken, List<Written> members) {
    assertThat(taken.kind()).isEqualTo(Kind.AGGREGATE);
    assertThat(taken.records()).hasSameSizeAs(members);
    for (int i = 0; i < members.size(); i++) {
      UserRecord record = taken.records().get(i);
      Written member = members.get(i);
      assertThat(record.origin()).isEqualTo(new Origin(SHARD, SEQUENCE, OptionalInt.of(i)));
      assertThat(record.partitionKey()).contains(member.partitionKey());
      assertThat(record.explicitHashKey()).isEqualTo(member.explicitHashKey());
      assertThat(record.arrivalMillis()).isEqualTo(ARRIVAL);
      // Not AssertJ: it is called for every one of some hundred thousand members.
      assertThat(Arrays.equals(record.data(), member.data())).isTrue();
    }
  }

  /** A member as its producer wrote it. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Written(String partitionKey, Optional<String> explicitHashKey, byte[] data) {}
}
