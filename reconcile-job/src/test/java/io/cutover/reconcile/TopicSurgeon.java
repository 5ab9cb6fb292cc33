package io.cutover.reconcile;

import static org.awaitility.Awaitility.await;

import io.cutover.rig.TopicContents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
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
import org.apache.kafka.clients.admin.TransactionState;
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

  private static final Set<TransactionState> ENDED =
      Set.of(
          TransactionState.EMPTY,
          TransactionState.COMPLETE_COMMIT,
          TransactionState.COMPLETE_ABORT);

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
    offsets(OffsetSpec.latest())
        .forEach((partition, end) -> all.put(partition, RecordsToDelete.beforeOffset(end)));
    get(admin.deleteRecords(all).all(), "its records are not deleted");
    write(draft, Map.of());
  }

  private void write(TopicDraft draft, Map<String, Object> how) {
    try (KafkaProducer<byte[], byte[]> producer = producer(how)) {
      List<Future<?>> sent = new ArrayList<>();
      draft.partitions().values().forEach(rs -> rs.forEach(r -> sent.add(producer.send(r))));
      producer.flush();
      sent.forEach(one -> get(one, "a record is not written"));
    }
  }

  private Map<TopicPartition, Long> offsets(OffsetSpec which) {
    int partitions =
        get(admin.describeTopics(List.of(topic)).allTopicNames(), "it is not described")
            .get(topic)
            .partitions()
            .size();
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      all.put(new TopicPartition(topic, partition), which);
    }
    return get(admin.listOffsets(all).all(), "its offsets are not told").entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, told -> told.getValue().offset()));
  }

  /**
   * Lets the broker's own retention take what is older, and waits until it has begun to. It takes
   * whole segments, which hold an eighth of that time each. {@link #keepAll} ends it.
   *
   * <p>The broker has to look often: {@link TruthRig#broker}.
   */
  void expire(Duration kept) {
    TopicDraft draft = new TopicDraft(topic, contents());
    configure("segment.ms", Long.toString(kept.dividedBy(8).toMillis()));
    // What stands among markers from now would be kept: the old records get segments of their own.
    configure("retention.ms", "1");
    awaited(() -> offsets(OffsetSpec.earliest()).equals(offsets(OffsetSpec.latest())));
    configure("retention.ms", "-1");
    Map<TopicPartition, Long> begin = offsets(OffsetSpec.earliest());
    // Each record in a batch of its own, since a segment is rolled between two batches.
    write(draft, Map.of("batch.size", 0));
    // The segment that is written to is never taken.
    leaveAborted(
        begin.keySet().stream()
            .map(p -> draft.foreign(p.partition(), System.currentTimeMillis(), "now"))
            .toList());
    configure("retention.ms", Long.toString(kept.toMillis()));
    awaited(() -> !offsets(OffsetSpec.earliest()).equals(begin));
  }

  private static void awaited(Callable<Boolean> holds) {
    await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(holds);
  }

  /** As the topic was made: it keeps all that it is given. */
  void keepAll() {
    configure("retention.ms", "-1");
    configure("segment.ms", "604800000");
  }

  /** Takes the head of a partition away, as retention does: all before the offset. */
  void loseHead(int partition, long before) {
    Map<TopicPartition, RecordsToDelete> head =
        Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before));
    get(admin.deleteRecords(head).all(), "its head is not deleted");
  }

  /** Sets one of the topic's settings; it holds when this returns. */
  void configure(String name, String value) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), OpType.SET);
    get(
        admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all(),
        name + " is not set to " + value);
    awaited(
        () ->
            get(admin.describeConfigs(List.of(resource)).all(), "its settings are not told")
                .get(resource)
                .get(name)
                .value()
                .equals(value));
  }

  /** Writes records within a transaction that is then aborted: nobody may see them. */
  void leaveAborted(List<ProducerRecord<byte[], byte[]>> records) {
    leaveOpen("aborted-" + topic, records).close();
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

  /**
   * Hides what stands behind it from whoever reads what is committed. Whatever ends it waits until
   * every partition knows.
   */
  final class OpenTransaction implements AutoCloseable {
    private final String id;
    private final KafkaProducer<byte[], byte[]> producer;

    private OpenTransaction(String id, KafkaProducer<byte[], byte[]> producer) {
      this.id = id;
      this.producer = producer;
    }

    String transactionalId() {
      return id;
    }

    void commit() {
      producer.commitTransaction();
      awaitEnd();
    }

    /** Aborts it, if it is open still. */
    @Override
    public void close() {
      producer.close();
      awaitEnd();
    }

    private void awaitEnd() {
      awaited(
          () ->
              ENDED.contains(
                  get(admin.describeTransactions(List.of(id)).description(id), id + " is not told")
                      .state()));
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
