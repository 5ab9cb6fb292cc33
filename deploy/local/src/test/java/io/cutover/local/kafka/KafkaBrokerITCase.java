package io.cutover.local.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class KafkaBrokerITCase {

  @Test
  void committedRecordsOutliveAKillAndAbortedOnesAreNotRead() {
    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("events", 3, Map.of("retention.ms", "-1"));
      try (KafkaProducer<String, String> producer = producer(broker.bootstrapServers(), "tx")) {
        producer.initTransactions();
        writeInTransaction(producer, 0, 100);
        producer.commitTransaction();
        writeInTransaction(producer, 100, 150);
        producer.abortTransaction();
      }
      long firstPid = broker.pid();

      broker.kill();

      assertThat(broker.isRunning()).isFalse();
      broker.restart();
      assertThat(broker.pid()).isNotEqualTo(firstPid);
      try (KafkaProducer<String, String> producer = producer(broker.bootstrapServers(), "tx")) {
        producer.initTransactions();
        writeInTransaction(producer, 200, 210);
        producer.commitTransaction();
      }
      assertThat(committed(broker.bootstrapServers(), 3))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.concat(IntStream.range(0, 100), IntStream.range(200, 210))
                  .mapToObj(Integer::toString)
                  .toList());
    }
  }

  @Test
  void twoBrokersStandSideBySideAndCloseLeavesNothingOfThem() {
    Path directory;
    ProcessHandle process;
    try (KafkaBroker one = KafkaBroker.start();
        KafkaBroker other =
            KafkaBroker.builder()
                .heap("512m")
                .property("transaction.max.timeout.ms", "5000")
                .start()) {
      assertThat(one.bootstrapServers()).isNotEqualTo(other.bootstrapServers());
      one.createTopic("here", 1);
      other.createTopic("there", 1);
      assertThatThrownBy(() -> one.createTopic("here", 1))
          .hasMessageContaining("Topic here")
          .hasRootCauseMessage("Topic 'here' already exists.");
      try (KafkaProducer<String, String> producer = producer(other.bootstrapServers(), "tx")) {
        assertThatThrownBy(producer::initTransactions).hasMessageContaining("timeout");
      }
      directory = one.directory();
      process = ProcessHandle.of(one.pid()).orElseThrow();
      assertThat(directory.resolve("broker.log")).isNotEmptyFile();
    }
    assertThat(process.isAlive()).isFalse();
    assertThat(directory).doesNotExist();
  }

  @Test
  void theBrokerWithinThisJvmKeepsTheSameRules() {
    try (EmbeddedKafka broker = EmbeddedKafka.start(Map.of("message.max.bytes", "12000000"))) {
      broker.createTopic("events", 2);
      try (KafkaProducer<String, String> producer = producer(broker.bootstrapServers(), "tx")) {
        producer.initTransactions();
        writeInTransaction(producer, 0, 20);
        producer.abortTransaction();
        writeInTransaction(producer, 20, 25);
        producer.commitTransaction();
      }
      assertThat(committed(broker.bootstrapServers(), 2))
          .containsExactlyInAnyOrder("20", "21", "22", "23", "24");
    }
  }

  @Test
  void aStartThatFailsSaysWhyAndLeavesNothing() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<Path> before = list(temporary);

    assertThatThrownBy(() -> KafkaBroker.builder().property("num.io.threads", "none").start())
        .hasMessageContaining("ended while it started, with exit code 1")
        .hasMessageContaining("num.io.threads");

    assertThat(list(temporary)).isEqualTo(before);
  }

  private static List<Path> list(Path directory) throws Exception {
    try (var files = Files.list(directory)) {
      return files.filter(f -> f.getFileName().toString().startsWith("kafka-")).sorted().toList();
    }
  }

  private static KafkaProducer<String, String> producer(String bootstrapServers, String id) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bootstrapServers, "transactional.id", id),
        new StringSerializer(),
        new StringSerializer());
  }

  private static void writeInTransaction(
      KafkaProducer<String, String> producer, int from, int until) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    producer.beginTransaction();
    for (int i = from; i < until; i++) {
      String value = Integer.toString(i);
      sent.add(producer.send(new ProducerRecord<>("events", value, value)));
    }
    producer.flush();
    assertThat(sent).allSatisfy(written -> assertThat(written).succeedsWithin(Duration.ZERO));
  }

  private static List<String> committed(String bootstrapServers, int partitions) {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", bootstrapServers);
    config.put("isolation.level", "read_committed");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, partitions).mapToObj(p -> new TopicPartition("events", p)).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      List<String> values = new ArrayList<>();
      long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (all.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        assertThat(System.nanoTime()).as("still reading, has %s", values).isLessThan(deadline);
        for (ConsumerRecord<String, String> read : consumer.poll(Duration.ofMillis(200))) {
          values.add(read.value());
        }
      }
      return values;
    }
  }
}
