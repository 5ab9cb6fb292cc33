package io.cutover.reconcile.side;

import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.TopicOffsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** A plain loop over the committed records of one partition, up to the pinned end. */
public final class TopicScanner {

  private static final Duration POLL = Duration.ofMillis(500);

  private TopicScanner() {}

  /** Hands over each record that is still there, in offset order. */
  public static void forEach(Plan plan, TopicOffsets offsets, Consumer<TopicRecord> consumer) {
    TopicPartition partition = new TopicPartition(plan.topic(), offsets.partition());
    try (KafkaConsumer<byte[], byte[]> kafka = new KafkaConsumer<>(plan.kafka().consumer())) {
      kafka.assign(List.of(partition));
      kafka.seek(
          partition,
          Math.max(offsets.begin(), kafka.beginningOffsets(List.of(partition)).get(partition)));
      while (kafka.position(partition) < offsets.end()) {
        for (ConsumerRecord<byte[], byte[]> record : kafka.poll(POLL)) {
          if (record.offset() < offsets.end()) {
            consumer.accept(TopicRecord.of(record));
          }
        }
      }
    }
  }
}
