package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CutoverDir;
import io.cutover.config.CutoverConfig;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.pin.Pins;
import io.cutover.preflight.PreflightResult;
import io.cutover.source.LineageOutput;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * One copy set up end to end: an emulated stream, a topic of the shared broker, a folder. The job
 * is the real one; what differs from production are rates and intervals.
 */
final class CopyRig implements AutoCloseable {

  static final String STREAM = "orders";

  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final KafkaBroker broker;
  private final String topic = "orders-" + UUID.randomUUID();
  private final int partitions;
  private final Path dir;
  private final Map<String, String> options = new TreeMap<>();
  private final Producer producer;

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
    broker.createTopic(topic, partitions, Map.of("retention.ms", "-1"));
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
        new CopyTerms(Pins.unchecked(config, t), config),
        KafkaClientProperties.load(config),
        Optional.of(new PreflightResult("", List.of())));
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

  List<ConsumerRecord<byte[], byte[]>> contents() {
    return TopicContents.of(broker.bootstrapServers(), topic);
  }

  /** The topic holds exactly what was written before T, in order. */
  void assertExact(Instant t) {
    CopyOracle.assertExact(contents(), producer, t, partitions);
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
