package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CutoverDir;
import io.cutover.config.CutoverConfig;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import io.cutover.preflight.PreflightResult;
import io.cutover.report.BackfillReport;
import io.cutover.report.WitnessFile;
import io.cutover.rig.CopyOracle;
import io.cutover.rig.Producer;
import io.cutover.rig.TopicContents;
import io.cutover.source.LineageOutput;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * One copy set up end to end: an emulated stream, a topic of the shared broker, a folder. The job
 * is the real one; what differs from production are rates and intervals.
 */
final class CopyRig implements AutoCloseable {

  static final String STREAM = "orders";

  private static final Map<String, String> TOPIC =
      Map.of("retention.ms", "-1", "max.message.bytes", "2097152");

  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final KafkaBroker broker;
  private final String topic = "orders-" + UUID.randomUUID();
  private final int partitions;
  private final Path dir;
  private final Map<String, String> options = new TreeMap<>();
  private final Producer producer;
  private Optional<Pin> kept = Optional.empty();
  private Optional<PreflightResult> preflight = Optional.of(new PreflightResult("", List.of()));

  CopyRig(Path dir, int shards, int partitions) {
    this(dir, shards, partitions, Broker.SHARED);
  }

  CopyRig(Path dir, int shards, int partitions, KafkaBroker broker) {
    this.dir = dir;
    this.broker = broker;
    this.partitions = partitions;
    EmulatedStream stream =
        kinesis.createStream(STREAM, shards, kinesis.clock().instant().minus(Duration.ofDays(20)));
    stream.retention(Duration.ofDays(30));
    producer = new Producer(stream);
    broker.createTopic(topic, partitions, TOPIC);
    set("cutover.dir", dir.toUri().toString());
    set("kinesis.stream", STREAM);
    at(kinesis.endpoint());
    set("kafka.topic", topic);
    set("kafka.bootstrap.servers", broker.bootstrapServers());
    set("backfill.checkpoint-interval", "300 ms");
    set("source.shard.get-records.max-calls-per-second", "10000");
    set("source.shard.get-records.max-bytes-per-second", "10 gb");
    set("source.shard.get-records.idle-source-interval", "50 ms");
    set("source.shard.discovery.interval", "100 ms");
  }

  /** A broker that all copies of the test JVM share; it ends with the JVM. */
  private static final class Broker {
    static final KafkaBroker SHARED = KafkaBroker.start();
  }

  /** Another Kinesis server than the emulator. */
  CopyRig at(URI endpoint) {
    set("kinesis.endpoint", endpoint.toString());
    set("aws.region", "us-east-1");
    set("aws.credentials.provider", "BASIC");
    set("aws.credentials.basic.accesskeyid", "local");
    set("aws.credentials.basic.secretkey", "local");
    return this;
  }

  CopyRig set(String key, String value) {
    options.put(key, value);
    return this;
  }

  /** From now on all jobs are of one pin, made now. */
  void pin(Instant t) {
    kept = Optional.of(job(t).terms().pin());
  }

  /** As in application mode: no client has looked, so the job does. */
  CopyRig withoutClient() {
    preflight = Optional.empty();
    return this;
  }

  KinesisEmulator kinesis() {
    return kinesis;
  }

  EmulatedStream stream() {
    return producer.stream();
  }

  Producer producer() {
    return producer;
  }

  /** The server's clock, in whole milliseconds as arrivals are. */
  Instant now() {
    return kinesis.clock().instant().truncatedTo(ChronoUnit.MILLIS);
  }

  KafkaBroker broker() {
    return broker;
  }

  String topic() {
    return topic;
  }

  Map<String, String> options() {
    return options;
  }

  /** The job as the command would make it. */
  BackfillJob job(Instant t) {
    set("pin.boundary", t.toString());
    Configuration config = CutoverConfig.load(Optional.empty(), options);
    return new BackfillJob(
        new CopyTerms(kept.orElseGet(() -> Pins.unchecked(config, t)), config),
        KafkaClientProperties.load(config),
        preflight);
  }

  /** The job's graph, restarting at once after a failure. */
  JobGraph graph(Instant t, int parallelism, Consumer<DataStream<LineageOutput>> tap) {
    BackfillJob job = job(t);
    Configuration flink = job.flinkConfig();
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 20);
    flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(flink);
    env.setParallelism(parallelism);
    tap.accept(job.addTo(env));
    return env.getStreamGraph().getJobGraph();
  }

  JobGraph graph(Instant t, int parallelism) {
    return graph(t, parallelism, read -> {});
  }

  /** Records of somebody else, without an origin of ours. */
  void writeLive(Instant... timestamps) throws Exception {
    try (KafkaProducer<byte[], byte[]> live = client(Optional.empty())) {
      for (Instant timestamp : timestamps) {
        byte[] value = timestamp.toString().getBytes(StandardCharsets.UTF_8);
        live.send(new ProducerRecord<>(topic, null, timestamp.toEpochMilli(), value, value))
            .get(30, TimeUnit.SECONDS);
      }
    }
  }

  KafkaProducer<byte[], byte[]> client(Optional<String> transactionalId) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", broker.bootstrapServers());
    transactionalId.ifPresent(id -> properties.put("transactional.id", id));
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Another topic of the same name and shape. */
  void recreateTopic() throws Exception {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
    }
    broker.createTopic(topic, partitions, TOPIC);
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  List<ConsumerRecord<byte[], byte[]>> contents() {
    return TopicContents.of(broker.bootstrapServers(), topic);
  }

  /**
   * The topic holds exactly what was written before T, in order; and the witness, where there is
   * one, says just that.
   */
  void assertExact(Instant t) {
    CopyOracle.assertExact(contents(), producer, t, partitions);
    Path witness = Path.of(URI.create(options.get("cutover.dir"))).resolve(WitnessFile.NAME);
    if (Files.exists(witness)) {
      WitnessOracle.assertWitness(
          witness, producer.written(), job(t).terms().pin().id(), t, Duration.ofHours(1));
    }
  }

  JsonNode report() {
    return BackfillReport.in(new CutoverDir(dir.toUri().toString())).orElseThrow();
  }

  Optional<JsonNode> reportIfAny() {
    return BackfillReport.in(new CutoverDir(dir.toUri().toString()));
  }

  @Override
  public void close() {
    kinesis.close();
  }
}
