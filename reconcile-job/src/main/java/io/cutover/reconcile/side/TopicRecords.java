package io.cutover.reconcile.side;

import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.TopicOffsets;
import io.cutover.source.VersionedType;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * The whole topic as it was when the reconciliation began: every committed record of every
 * partition, in offset order. What is deleted meanwhile fails the reading; it is never skipped.
 */
public final class TopicRecords implements KafkaRecordDeserializationSchema<TopicRecord> {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("deprecation") // the connector knows no other name for "no reset"
  public static KafkaSource<TopicRecord> source(Plan plan) {
    Properties consumer = plan.kafka().consumer();
    // The source sets it itself, and says so where it is set.
    consumer.remove(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG);
    // Partitions are assigned and nothing is committed, so no group's right is needed.
    consumer.remove(ConsumerConfig.GROUP_ID_CONFIG);
    consumer.setProperty(KafkaSourceOptions.COMMIT_OFFSETS_ON_CHECKPOINT.key(), "false");
    return KafkaSource.<TopicRecord>builder()
        .setProperties(consumer)
        .setPartitions(new HashSet<>(offsets(plan, TopicOffsets::begin).keySet()))
        .setStartingOffsets(
            OffsetsInitializer.offsets(
                offsets(plan, TopicOffsets::begin), OffsetResetStrategy.NONE))
        .setBounded(
            OffsetsInitializer.offsets(offsets(plan, TopicOffsets::end), OffsetResetStrategy.NONE))
        .setDeserializer(new TopicRecords())
        .build();
  }

  private static Map<TopicPartition, Long> offsets(Plan plan, ToLongFunction<TopicOffsets> which) {
    return plan.facts().offsets().stream()
        .collect(
            Collectors.toMap(
                one -> new TopicPartition(plan.topic(), one.partition()), which::applyAsLong));
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<TopicRecord> out) {
    out.collect(TopicRecord.of(record));
  }

  @Override
  public TypeInformation<TopicRecord> getProducedType() {
    return type();
  }

  static TypeInformation<TopicRecord> type() {
    return new VersionedType<>(TopicRecord.class, TopicRecordSerializer::new);
  }
}
