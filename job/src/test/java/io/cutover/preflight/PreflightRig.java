package io.cutover.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.CutoverDir;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCommand;
import io.cutover.pin.PinFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine;

/** A stream and a topic that are fit for a copy, and pinned; a test then spoils them. */
public final class PreflightRig implements AutoCloseable {

  /** Fits 1 MiB of data with key and headers. */
  static final Map<String, String> SOUND_TOPIC =
      Map.of("retention.ms", "-1", "max.message.bytes", "1100000");

  private static int topics;

  private final EmbeddedKafka broker;
  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final EmulatedStream stream;
  private final String topic = "orders-" + ++topics;
  private final Map<String, String> options = new TreeMap<>();
  private final Admin admin;

  public PreflightRig(EmbeddedKafka broker, Path dir) {
    this.broker = broker;
    Instant now = kinesis.clock().instant();
    stream = kinesis.createStream("orders", 2, now.minus(Duration.ofHours(5)));
    stream.put(
        stream.shards().get(0).id(), PutSpec.of("key", new byte[] {1}, now.minusSeconds(3600)));
    broker.createTopic(topic, 2, SOUND_TOPIC);
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    options.put("cutover.dir", dir.resolve("cutover").toUri().toString());
    options.put("kinesis.stream", "orders");
    at(kinesis.endpoint());
    options.put("aws.region", "us-east-1");
    options.put("aws.credentials.provider", "BASIC");
    options.put("aws.credentials.basic.accesskeyid", "local");
    options.put("aws.credentials.basic.secretkey", "local");
    options.put("kafka.topic", topic);
    options.put("kafka.bootstrap.servers", broker.bootstrapServers());
    options.put("pin.boundary", now.minusSeconds(60).truncatedTo(ChronoUnit.MILLIS).toString());
  }

  PreflightRig at(URI endpoint) {
    return set("kinesis.endpoint", endpoint.toString());
  }

  public PreflightRig set(String key, String value) {
    options.put(key, value);
    return this;
  }

  PreflightRig unset(String key) {
    options.remove(key);
    return this;
  }

  public PreflightRig pin() {
    StringWriter said = new StringWriter();
    CommandLine line = new CommandLine(new PinCommand());
    line.setErr(new PrintWriter(said));
    line.setOut(new PrintWriter(said));
    assertThat(line.execute(args())).as(said.toString()).isZero();
    return this;
  }

  public String[] args() {
    List<String> args = new ArrayList<>();
    options.forEach((key, value) -> args.addAll(List.of("-D", key + "=" + value)));
    return args.toArray(String[]::new);
  }

  Pin pinned() {
    return new PinFile(new CutoverDir(options.get("cutover.dir"))).read();
  }

  PreflightResult run() {
    Configuration config = config();
    return Preflight.run(config, KafkaClientProperties.load(config), pinned());
  }

  Configuration config() {
    return Configuration.fromMap(options);
  }

  KinesisEmulator kinesis() {
    return kinesis;
  }

  public EmulatedStream stream() {
    return stream;
  }

  public String topic() {
    return topic;
  }

  Admin admin() {
    return admin;
  }

  public PreflightRig alterTopic(String setting, String value) {
    return alter(new ConfigResource(ConfigResource.Type.TOPIC, topic), setting, value);
  }

  private PreflightRig alter(ConfigResource resource, String setting, String value) {
    done(
        admin
            .incrementalAlterConfigs(
                Map.of(
                    resource,
                    List.of(
                        new AlterConfigOp(
                            new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
            .all());
    return this;
  }

  void recreateTopic() {
    done(admin.deleteTopics(List.of(topic)).all());
    // A topic is still known for a moment after it was deleted.
    org.awaitility.Awaitility.await()
        .until(() -> !admin.listTopics().names().get(10, TimeUnit.SECONDS).contains(topic));
    broker.createTopic(topic, 2, SOUND_TOPIC);
  }

  void deleteTopic() {
    done(admin.deleteTopics(List.of(topic)).all());
  }

  /** Begins a transaction on the topic and leaves it open. */
  KafkaProducer<byte[], byte[]> open(String transactionalId) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "transactional.id",
                transactionalId),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
    try {
      producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {1})).get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("nothing could be written to " + topic, e);
    }
    return producer;
  }

  static <T> T done(KafkaFuture<T> asked) {
    try {
      return asked.get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the broker did not do what the test asked", e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
    kinesis.close();
  }
}
