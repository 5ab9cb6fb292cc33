package io.cutover.reconcile;

import io.cutover.rig.TopicContents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Puts other contents into a topic that stays the same: all its records are deleted and what it is
 * to hold is written behind them, so that a reader sees just that. Offsets go on where they were,
 * and the log begins where the deleted records ended.
 */
final class TopicSurgeon implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  /** As long as a default broker allows. */
  private static final int TRANSACTION_TIMEOUT_MILLIS = 900_000;

  private final String bootstrapServers;
  private final String topic;
  private final Admin admin;

  TopicSurgeon(String bootstrapServers, String topic) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  /** The committed records, each partition's in offset order. */
  List<ConsumerRecord<byte[], byte[]>> contents() {
    return TopicContents.of(bootstrapServers, topic);
  }

  /** Lets the contents be edited, and puts what comes of it in their place. */
  void operate(Consumer<TopicDraft> edit) {
    TopicDraft draft = new TopicDraft(topic, contents());
    edit.accept(draft);
    replace(draft);
  }

  /** Puts these contents in the place of whatever is there. */
  void restore(List<ConsumerRecord<byte[], byte[]>> contents) {
    replace(new TopicDraft(topic, contents));
  }

  private void replace(TopicDraft draft) {
    Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
    ends().forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end)));
    get(admin.deleteRecords(all).all(), "its records are not deleted");
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
      List<Future<?>> sent = new ArrayList<>();
      draft.partitions().values().forEach(rs -> rs.forEach(r -> sent.add(producer.send(r))));
      producer.flush();
      sent.forEach(one -> get(one, "a record is not written"));
    }
  }

  private Map<TopicPartition, Long> ends() {
    int partitions =
        get(admin.describeTopics(List.of(topic)).allTopicNames(), "it is not described")
            .get(topic)
            .partitions()
            .size();
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    return get(admin.listOffsets(latest).all(), "its ends are not told").entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  /** Takes the head of a partition away, as retention does: all before the offset. */
  void loseHead(int partition, long before) {
    Map<TopicPartition, RecordsToDelete> head =
        Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before));
    get(admin.deleteRecords(head).all(), "its head is not deleted");
  }

  /** Sets one of the topic's settings. */
  void configure(String name, String value) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), OpType.SET);
    get(
        admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all(),
        name + " is not set to " + value);
  }

  /** Writes records within a transaction that is then aborted: nobody may see them. */
  void leaveAborted(List<ProducerRecord<byte[], byte[]>> records) {
    try (OpenTransaction transaction = leaveOpen("aborted-" + topic, records)) {
      transaction.abort();
    }
  }

  /** Writes records within a transaction that stays open until it is ended. */
  OpenTransaction leaveOpen(String transactionalId, List<ProducerRecord<byte[], byte[]>> records) {
    KafkaProducer<byte[], byte[]> producer =
        producer(
            Map.of(
                "transactional.id",
                transactionalId,
                "transaction.timeout.ms",
                TRANSACTION_TIMEOUT_MILLIS));
    producer.initTransactions();
    producer.beginTransaction();
    for (ProducerRecord<byte[], byte[]> record : records) {
      get(producer.send(record), "a record is not written");
    }
    return new OpenTransaction(transactionalId, producer);
  }

  /** Hides what stands behind it from whoever reads what is committed. */
  record OpenTransaction(String transactionalId, KafkaProducer<byte[], byte[]> producer)
      implements AutoCloseable {

    void abort() {
      producer.abortTransaction();
    }

    void commit() {
      producer.commitTransaction();
    }

    /** Aborts it, if it is open still. */
    @Override
    public void close() {
      producer.close();
    }
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> properties = new HashMap<>(more);
    properties.put("bootstrap.servers", bootstrapServers);
    properties.put("acks", "all");
    properties.put("max.request.size", 16 << 20);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private <T> T get(KafkaFuture<T> future, String otherwise) {
    return get(future.toCompletionStage().toCompletableFuture(), otherwise);
  }

  private <T> T get(Future<T> future, String otherwise) {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted at topic " + topic, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("topic " + topic + ": " + otherwise, e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
