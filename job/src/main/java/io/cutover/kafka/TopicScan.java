package io.cutover.kafka;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads everything that is committed in a topic when it begins: each partition up to its high
 * watermark, by position, not by the last record's offset, since markers and aborted records take
 * offsets too. A transaction that stays open in front of the end is said, never taken for the end.
 */
public final class TopicScan {

  private static final Duration POLL = Duration.ofMillis(500);

  private final Properties consumerProperties;
  private final String topic;
  private final Duration patience;

  /**
   * @param consumerProperties of {@link KafkaClientProperties#consumer}
   * @param patience how long to wait in front of an open transaction
   */
  public TopicScan(Properties consumerProperties, String topic, Duration patience) {
    this.consumerProperties = consumerProperties;
    this.topic = topic;
    this.patience = patience;
  }

  /**
   * Hands over every committed record, in offset order within its partition.
   *
   * @throws Refusal when an open transaction hides what comes behind it for longer than the
   *     patience
   */
  public void forEach(Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    try (KafkaConsumer<byte[], byte[]> kafka = new KafkaConsumer<>(consumerProperties)) {
      List<TopicPartition> partitions =
          kafka.partitionsFor(topic).stream().map(TopicScan::partition).toList();
      Map<TopicPartition, Long> ends = highWatermarks(partitions);
      kafka.assign(partitions);
      kafka.seekToBeginning(partitions);
      long progressAt = System.nanoTime();
      Map<TopicPartition, Long> left = left(kafka, ends);
      while (!left.isEmpty()) {
        kafka.poll(POLL).forEach(record -> deliver(record, ends, consumer));
        Map<TopicPartition, Long> now = left(kafka, ends);
        // Read up to its end, a partition is not read on: others may write to it for ever.
        kafka.pause(finished(ends.keySet(), now));
        if (now.equals(left)) {
          if (System.nanoTime() - progressAt > patience.toNanos()) {
            throw openTransaction(kafka, ends);
          }
        } else {
          progressAt = System.nanoTime();
        }
        left = now;
      }
    }
  }

  private static void deliver(
      ConsumerRecord<byte[], byte[]> record,
      Map<TopicPartition, Long> ends,
      Consumer<ConsumerRecord<byte[], byte[]>> consumer) {
    if (record.offset() < ends.get(new TopicPartition(record.topic(), record.partition()))) {
      consumer.accept(record);
    }
  }

  /** A read_committed consumer would call the last stable offset the end. */
  private Map<TopicPartition, Long> highWatermarks(Collection<TopicPartition> partitions) {
    Properties uncommitted = new Properties();
    uncommitted.putAll(consumerProperties);
    uncommitted.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
    try (KafkaConsumer<byte[], byte[]> kafka = new KafkaConsumer<>(uncommitted)) {
      return new HashMap<>(kafka.endOffsets(partitions));
    }
  }

  /** The partitions whose end is not reached, with the position. */
  private static Map<TopicPartition, Long> left(
      KafkaConsumer<byte[], byte[]> kafka, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> left = new HashMap<>();
    ends.forEach(
        (partition, end) -> {
          long position = kafka.position(partition);
          if (position < end) {
            left.put(partition, position);
          }
        });
    return left;
  }

  private static List<TopicPartition> finished(
      Collection<TopicPartition> all, Map<TopicPartition, Long> left) {
    return all.stream().filter(partition -> !left.containsKey(partition)).toList();
  }

  private Refusal openTransaction(
      KafkaConsumer<byte[], byte[]> kafka, Map<TopicPartition, Long> ends) {
    Map<String, String> stuck = new TreeMap<>();
    left(kafka, ends)
        .forEach((p, position) -> stuck.put(p.toString(), position + " of " + ends.get(p)));
    return new Refusal(
        Reason.TRANSACTIONS_OPEN,
        "topic "
            + topic
            + " cannot be read whole: for "
            + patience
            + " its last stable offset has stood still ("
            + stuck.entrySet().stream()
                .map(e -> e.getKey() + " at " + e.getValue())
                .collect(Collectors.joining(", "))
            + "). A transaction is open there: end its producer, or wait for its timeout"
            + " (kafka-transactions.sh find-hanging names it)");
  }

  private static TopicPartition partition(PartitionInfo info) {
    return new TopicPartition(info.topic(), info.partition());
  }
}
