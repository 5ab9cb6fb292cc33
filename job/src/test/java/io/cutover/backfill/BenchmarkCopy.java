package io.cutover.backfill;

import io.cutover.CutoverDir;
import io.cutover.config.CutoverConfig;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import io.cutover.preflight.PreflightResult;
import io.cutover.rig.TopicContents;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;

/** A topic and a folder for one copy of a benchmark's stream; the topic is deleted at close. */
public final class BenchmarkCopy implements AutoCloseable {

  /** Between two commits. */
  static final Duration COMMITS = Duration.ofSeconds(2);

  private static final int PARTITIONS = 4;

  private static int copies;

  private final URI endpoint;
  private final KafkaBroker broker;
  private final String topic = "benchmark-" + copies++;
  private final Path dir;
  private final Instant boundary;
  private final Pin pin;

  public BenchmarkCopy(URI endpoint, KafkaBroker broker) throws Exception {
    this(endpoint, broker, Instant.now().minusSeconds(3600).truncatedTo(ChronoUnit.MILLIS));
  }

  private BenchmarkCopy(URI endpoint, KafkaBroker broker, Instant boundary) throws Exception {
    this.endpoint = endpoint;
    this.broker = broker;
    this.boundary = boundary;
    this.dir = Files.createTempDirectory("benchmark");
    broker.createTopic(topic, PARTITIONS, Map.of("retention.ms", "-1"));
    this.pin = Pins.unchecked(config(), boundary);
    Pins.write(pin, new CutoverDir(dir.toUri().toString()));
  }

  /** Another one of the same stream up to the same T, with nothing in it yet. */
  public BenchmarkCopy another() throws Exception {
    return new BenchmarkCopy(endpoint, broker, boundary);
  }

  /** What a command would be told, by key. */
  public Map<String, String> options() {
    Map<String, String> options = new TreeMap<>();
    options.put("cutover.dir", dir.toUri().toString());
    options.put("kinesis.stream", BenchmarkServer.STREAM);
    options.put("kinesis.endpoint", endpoint.toString());
    options.put("aws.region", "us-east-1");
    options.put("aws.credentials.provider", "BASIC");
    options.put("aws.credentials.basic.accesskeyid", "local");
    options.put("aws.credentials.basic.secretkey", "local");
    options.put("kafka.topic", topic);
    options.put("kafka.bootstrap.servers", broker.bootstrapServers());
    options.put("pin.boundary", boundary.toString());
    options.put("backfill.checkpoint-interval", COMMITS.toMillis() + " ms");
    options.put("source.shard.get-records.max-calls-per-second", "100000");
    options.put("source.shard.get-records.max-bytes-per-second", "100 gb");
    return options;
  }

  Configuration config() {
    return CutoverConfig.load(Optional.empty(), options());
  }

  public URI endpoint() {
    return endpoint;
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  public String topic() {
    return topic;
  }

  public Path dir() {
    return dir;
  }

  /** T. */
  Instant boundary() {
    return boundary;
  }

  public Pin pin() {
    return pin;
  }

  /** The backfill that fills the topic, and writes report and witness into the folder. */
  public JobGraph graph(int parallelism) {
    Configuration config = config();
    BackfillJob job =
        new BackfillJob(
            new CopyTerms(pin, config),
            KafkaClientProperties.load(config),
            Optional.of(new PreflightResult("", List.of())));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flinkConfig());
    env.setParallelism(parallelism);
    job.addTo(env);
    return env.getStreamGraph().getJobGraph();
  }

  /** Fails unless the topic holds so many committed records. */
  public void requireRecords(long records) {
    int found = TopicContents.count(broker.bootstrapServers(), topic);
    if (found != records) {
      throw new IllegalStateException(topic + " holds " + found + " records instead of " + records);
    }
  }

  @Override
  public void close() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }
}
