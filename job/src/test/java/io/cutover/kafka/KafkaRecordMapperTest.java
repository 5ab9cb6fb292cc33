package io.cutover.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import io.cutover.kafka.KafkaOptions.Key;
import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.source.LineageOutput;
import io.cutover.source.ShardLedger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.StreamSupport;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetFacet;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

class KafkaRecordMapperTest {

  private static final int PARTITIONS = 7;
  private static final long ARRIVAL = 1_700_000_000_123L;
  private static final byte[] DATA = {0, 1, -1};

  private final KafkaRecordMapper mapper =
      new KafkaRecordMapper("orders", PARTITIONS, Key.PARTITION_KEY, "0123456789abcdef");

  private static UserRecord record(
      Optional<String> key, OptionalInt subSequence, Optional<String> hashKey) {
    return new UserRecord(
        new Origin("shardId-000000000003", "49590338271490256608", subSequence),
        key,
        hashKey,
        ARRIVAL,
        DATA);
  }

  private static UserRecord record(String key) {
    return record(Optional.of(key), OptionalInt.empty(), Optional.empty());
  }

  private static List<String> headers(ProducerRecord<byte[], byte[]> record) {
    return StreamSupport.stream(record.headers().spliterator(), false)
        .map((Header header) -> header.key() + "=" + new String(header.value(), UTF_8))
        .toList();
  }

  @Test
  void plainRecordKeepsEverything() {
    ProducerRecord<byte[], byte[]> mapped = mapper.map(record("customer-17"));
    assertThat(mapped.topic()).isEqualTo("orders");
    assertThat(mapped.key()).isEqualTo("customer-17".getBytes(UTF_8));
    assertThat(mapped.value()).isSameAs(DATA);
    assertThat(mapped.timestamp()).isEqualTo(ARRIVAL);
    assertThat(headers(mapped))
        .containsExactly(
            "cutover.pin=0123456789abcdef",
            "kinesis.shard=shardId-000000000003",
            "kinesis.sequence=49590338271490256608");
  }

  @Test
  void memberHasItsSubSequenceAndItsExplicitHashKey() {
    UserRecord first = record(Optional.of("k"), OptionalInt.of(0), Optional.of("340282"));
    assertThat(headers(mapper.map(first)))
        .containsExactly(
            "cutover.pin=0123456789abcdef",
            "kinesis.shard=shardId-000000000003",
            "kinesis.sequence=49590338271490256608",
            "kinesis.subsequence=0",
            "kinesis.explicit-hash-key=340282");
  }

  @Test
  void keyIsTheUtf8OfThePartitionKeyVerbatim() {
    for (String key : List.of("", " ", "ключ", "鍵🔑", "k".repeat(256), "é".repeat(256))) {
      ProducerRecord<byte[], byte[]> mapped = mapper.map(record(key));
      assertThat(mapped.key()).isEqualTo(key.getBytes(UTF_8));
      assertThat(mapped.partition()).isNotNull();
    }
  }

  @Test
  void emptyKeyIsNotTheAbsentOne() {
    assertThat(mapper.map(record("")).key()).isNotNull().isEmpty();
  }

  @Test
  void recordWithoutAKeyIsRefused() {
    UserRecord keyless = record(Optional.empty(), OptionalInt.empty(), Optional.empty());
    assertThatThrownBy(() -> mapper.map(keyless))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("shardId-000000000003")
        .hasMessageContaining("49590338271490256608")
        .hasMessageContaining("kafka.key = none");
  }

  @Test
  void copyWithoutKeysCarriesNone() {
    KafkaRecordMapper keyless = new KafkaRecordMapper("orders", PARTITIONS, Key.NONE, "pin");
    for (Optional<String> key : List.of(Optional.<String>empty(), Optional.of("k"))) {
      ProducerRecord<byte[], byte[]> mapped =
          keyless.map(record(key, OptionalInt.empty(), Optional.empty()));
      assertThat(mapped.key()).isNull();
      assertThat(mapped.partition()).isNull();
      assertThat(mapped.value()).isSameAs(DATA);
    }
  }

  @Test
  void arrivalBeforeTheEpochIsAFaultAndNeverAlteredToNow() {
    UserRecord impossible =
        new UserRecord(
            new Origin("s", "1", OptionalInt.empty()),
            Optional.of("k"),
            Optional.empty(),
            -1,
            DATA);
    assertThatThrownBy(() -> mapper.map(impossible)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void outputThatIsNoRecordIsNotWritten() {
    Shard shard = new Shard("s", List.of(), HashRange.ALL, false);
    assertThat(
            mapper.serialize(
                new LineageOutput.ShardEnded(ShardLedger.unread(shard)), null, ARRIVAL))
        .isNull();
    assertThat(mapper.serialize(new LineageOutput.SubtaskDone(0, 1, "found"), null, null)).isNull();
    assertThat(mapper.serialize(new LineageOutput.Copied(record("k")), null, 5L).timestamp())
        .isEqualTo(ARRIVAL);
  }

  @Test
  void mapperTravelsToItsTask() throws Exception {
    mapper.map(record("k"));
    KafkaRecordMapper there = InstantiationUtil.clone(mapper);
    assertThat(headers(there.map(record("k")))).isEqualTo(headers(mapper.map(record("k"))));
    assertThat(there.map(record("k")).partition()).isEqualTo(mapper.map(record("k")).partition());
  }

  @Test
  void sinkIsToldTheTopic() {
    assertThat(mapper.getKafkaDatasetFacet())
        .map(facet -> ((DefaultKafkaDatasetFacet) facet).getTopicIdentifier().getTopics())
        .contains(List.of("orders"));
  }
}
