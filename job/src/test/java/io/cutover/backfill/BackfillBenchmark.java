package io.cutover.backfill;

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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;

/**
 * Records per second of the copy beside a bare loop without Flink, in one run: {@code
 * job/benchmark.sh}. Emulator, broker and reader share the machine. Times are whole: from the
 * submission of the job to its end, and from the first call of the loop to its last commit.
 */
final class BackfillBenchmark {

  private static final int PARTITIONS = 4;
  private static final Duration COMMITS = Duration.ofSeconds(2);

  private BackfillBenchmark() {}

  /** Arguments: counted rounds (3), and a factor on the number of records (1.0). */
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1.0;
    List<BenchmarkSetting> settings =
        List.of(
            new BenchmarkSetting("4 shards, full pages", 4, (int) (500_000 * scale), 10_000, 0, 2),
            new BenchmarkSetting(
                "64 shards, 400-record pages, 50 ms a call",
                64,
                (int) (24_000 * scale),
                400,
                50,
                1));
    try (KafkaBroker broker = KafkaBroker.builder().longLived().start()) {
      for (BenchmarkSetting setting : settings) {
        compare(setting, broker, rounds);
      }
    }
    System.exit(0);
  }

  private static void compare(BenchmarkSetting setting, KafkaBroker broker, int rounds)
      throws Exception {
    System.out.printf(
        "%s: %,d records of 1 KB, parallelism %d%n",
        setting.name(), setting.records(), setting.parallelism());
    List<Double> ratios = new ArrayList<>();
    try (BenchmarkServer server = BenchmarkServer.start(setting);
        Cluster cluster = new Cluster(1, setting.parallelism())) {
      for (int round = 0; round <= rounds; round++) {
        double bare = bareLoop(setting, server.endpoint(), broker);
        double job = job(setting, server.endpoint(), broker, cluster);
        String counted = round == 0 ? "warm-up" : "round " + round;
        System.out.printf(
            "  %-8s  bare loop %,9.0f records/s   backfill %,9.0f records/s   ratio %.2f%n",
            counted, bare, job, job / bare);
        if (round > 0) {
          ratios.add(job / bare);
        }
      }
    }
    Collections.sort(ratios);
    System.out.printf(
        "  ratio: median %.2f, lowest %.2f, highest %.2f%n",
        ratios.get(ratios.size() / 2), ratios.get(0), ratios.get(ratios.size() - 1));
  }

  private static double bareLoop(BenchmarkSetting setting, URI endpoint, KafkaBroker broker)
      throws Exception {
    try (Target target = new Target(broker)) {
      BareLoop loop =
          new BareLoop(
              endpoint,
              KafkaClientProperties.load(target.config(endpoint)).producer(),
              target.topic,
              target.boundary);
      long began = System.nanoTime();
      loop.run(setting.parallelism(), COMMITS.toMillis());
      return target.rate(setting.records(), began);
    }
  }

  private static double job(
      BenchmarkSetting setting, URI endpoint, KafkaBroker broker, Cluster cluster)
      throws Exception {
    try (Target target = new Target(broker)) {
      Configuration config = target.config(endpoint);
      Pin pin = Pins.unchecked(config, target.boundary);
      BackfillJob job =
          new BackfillJob(
              new CopyTerms(pin, config),
              KafkaClientProperties.load(config),
              Optional.of(new PreflightResult("", List.of())));
      StreamExecutionEnvironment env =
          StreamExecutionEnvironment.getExecutionEnvironment(job.flinkConfig());
      env.setParallelism(setting.parallelism());
      job.addTo(env);
      long began = System.nanoTime();
      cluster.run(env.getStreamGraph().getJobGraph());
      return target.rate(setting.records(), began);
    }
  }

  /** A topic and a folder for one run, and the proof that the run did copy everything. */
  private static final class Target implements AutoCloseable {
    private static int runs;

    private final KafkaBroker broker;
    private final String topic = "benchmark-" + runs++;
    private final Path dir;
    private final Instant boundary =
        Instant.now().minusSeconds(3600).truncatedTo(ChronoUnit.MILLIS);

    Target(KafkaBroker broker) throws Exception {
      this.broker = broker;
      this.dir = Files.createTempDirectory("benchmark");
      broker.createTopic(topic, PARTITIONS, Map.of("retention.ms", "-1"));
    }

    Configuration config(URI endpoint) {
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
      return CutoverConfig.load(Optional.empty(), options);
    }

    double rate(long records, long beganNanos) {
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      int found = TopicContents.count(broker.bootstrapServers(), topic);
      if (found != records) {
        throw new IllegalStateException(
            topic + " holds " + found + " records instead of " + records);
      }
      return records / seconds;
    }

    @Override
    public void close() throws Exception {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
        admin.deleteTopics(List.of(topic)).all().get();
      }
    }
  }
}
