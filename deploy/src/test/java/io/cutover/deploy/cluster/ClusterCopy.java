package io.cutover.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.CommandLineRig;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.Faults.Fault;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.rig.CopyOracle;
import io.cutover.rig.Producer;
import io.cutover.rig.TopicContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One cutover beside a cluster: a stream that was split and merged, served by an emulator in this
 * JVM; a topic of the broker; and a folder. Its commands are lines for whoever runs them.
 */
final class ClusterCopy implements AutoCloseable {

  private static final String STREAM = "orders";
  private static final int PARTITIONS = 3;
  private static final int RECORDS = 300;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final KafkaBroker broker;
  private final String topic = STREAM + "-" + UUID.randomUUID();
  private final Path dir;
  private final Producer producer;
  private final Instant t;
  private final CommandLineRig commands;

  ClusterCopy(Path dir, KafkaBroker broker) {
    this.dir = dir;
    this.broker = broker;
    Instant now = kinesis.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    t = now.minus(Duration.ofHours(1));
    EmulatedStream stream = kinesis.createStream(STREAM, 2, now.minus(Duration.ofDays(8)));
    stream.retention(Duration.ofDays(30));
    producer = new Producer(stream);
    write();
    broker.createTopic(
        topic, PARTITIONS, Map.of("retention.ms", "-1", "max.message.bytes", "2097152"));
    commands =
        new CommandLineRig(dir, kinesis.endpoint(), STREAM, broker.bootstrapServers(), topic);
    commands.set("pin.boundary", t.toString());
    commands.set("backfill.checkpoint-interval", "500 ms");
    commands.set("source.shard.get-records.max-record-count", "100");
    commands.set("source.shard.get-records.max-calls-per-second", "1000");
    commands.set("source.shard.discovery.interval", "100 ms");
  }

  private void write() {
    EmulatedStream stream = producer.stream();
    Instant start = t.minus(Duration.ofDays(3));
    List<EmulatedShard> roots = stream.openShards();
    roots.forEach(shard -> producer.fill(shard.id(), RECORDS, start, Duration.ofMinutes(3)));
    Instant first = t.minus(Duration.ofDays(2));
    List<EmulatedShard> children = stream.split(roots.get(0).id(), first);
    children.forEach(shard -> producer.fill(shard.id(), RECORDS, first, Duration.ofMinutes(3)));
    Instant second = t.minus(Duration.ofDays(1));
    EmulatedShard merged = stream.merge(children.get(1).id(), roots.get(1).id(), second);
    producer.fill(merged.id(), RECORDS, second, Duration.ofMinutes(4));
    // From T on: not copied.
    producer.fill(merged.id(), RECORDS / 10, t, Duration.ofMinutes(1));
  }

  /** What follows the jar on the command line. */
  List<String> line(String command, String... more) {
    return commands.line(command, more);
  }

  /** Pins from this JVM, as a person would before any cluster is there. */
  void pin() {
    commands.pin();
  }

  /** From now on the youngest shard cannot be read to its end, until the fault is removed. */
  Fault holdUp() {
    List<EmulatedShard> shards = producer.stream().shards();
    return kinesis
        .faults()
        .on("GetRecords")
        .shard(shards.get(shards.size() - 1).id())
        .after(1)
        .throttle();
  }

  /** Waits until all is copied but what is held up. */
  static void awaitStanding(Fault heldUp) {
    await().atMost(PATIENCE).until(() -> heldUp.hits() > 1);
  }

  boolean has(String file) {
    return Files.exists(dir.resolve(file));
  }

  JsonNode file(String name) {
    try {
      return JSON.readTree(dir.resolve(name).toFile());
    } catch (IOException e) {
      throw new AssertionError(dir.resolve(name) + " cannot be read", e);
    }
  }

  /** The topic holds what was written before T, once and in order, and the report says so. */
  void assertCopied() {
    List<ConsumerRecord<byte[], byte[]>> contents = contents();
    CopyOracle.assertExact(contents, producer, t, PARTITIONS);
    JsonNode report = file("backfill-report.json");
    assertThat(report.path("state").asText()).isEqualTo("complete");
    assertThat(report.at("/totals/records").asInt()).isEqualTo(contents.size());
  }

  /** The last verdict in the folder. */
  String verdict() {
    return file("verdict.json").path("verdict").asText();
  }

  /** The id of the run that gave the last verdict. */
  String verdictOf() {
    return file("verdict.json").at("/run/id").asText();
  }

  /** One record of the copy stands in the topic twice. */
  void damage() {
    ConsumerRecord<byte[], byte[]> one = contents().get(0);
    try (KafkaProducer<byte[], byte[]> again =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      again
          .send(
              new ProducerRecord<>(
                  topic, one.partition(), one.timestamp(), one.key(), one.value(), one.headers()))
          .get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the topic was not damaged", e);
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> contents() {
    return TopicContents.of(broker.bootstrapServers(), topic);
  }

  @Override
  public void close() {
    kinesis.close();
  }
}
