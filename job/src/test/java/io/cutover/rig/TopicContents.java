package io.cutover.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What a read_committed consumer finds in a topic: a plain loop. */
public final class TopicContents {

  private TopicContents() {}

  public static List<ConsumerRecord<byte[], byte[]>> of(String bootstrapServers, String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    forEach(bootstrapServers, topic, records::add);
    return records;
  }

  public static int count(String bootstrapServers, String topic) {
    int[] count = {0};
    forEach(bootstrapServers, topic, record -> count[0]++);
    return count[0];
  }

  /** Hands over each record, in offset order within its partition. */
  public static void forEach(
      String bootstrapServers, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            "false",
            "key.deserializer",
            ByteArrayDeserializer.class.getName(),
            "value.deserializer",
            ByteArrayDeserializer.class.getName()));
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(200)).forEach(each);
      }
    }
  }
}
