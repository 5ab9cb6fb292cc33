package io.cutover.backfill;

import io.cutover.kafka.KafkaClientProperties;
import io.cutover.local.kafka.KafkaBroker;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.runtime.jobgraph.JobGraph;

/**
 * Records per second of the copy beside a bare loop without Flink, in one run: {@code
 * job/benchmark.sh}. Emulator, broker and reader share the machine. Times are whole: from the
 * submission of the job to its end, and from the first call of the loop to its last commit.
 */
final class BackfillBenchmark {

  private BackfillBenchmark() {}

  /** Arguments: counted rounds (3), and a factor on the number of records (1.0). */
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1.0;
    List<BenchmarkSetting> settings =
        List.of(
            new BenchmarkSetting(
                "4 shards, full pages", 4, (int) (500_000 * scale), 1, 10_000, 0, 2),
            new BenchmarkSetting(
                "64 shards, 400-record pages, 50 ms a call",
                64,
                (int) (24_000 * scale),
                1,
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
    try (BenchmarkCopy copy = new BenchmarkCopy(endpoint, broker)) {
      BareLoop loop =
          new BareLoop(
              endpoint,
              KafkaClientProperties.load(copy.config()).producer(),
              copy.topic(),
              copy.boundary());
      long began = System.nanoTime();
      loop.run(setting.parallelism(), BenchmarkCopy.COMMITS.toMillis());
      return rate(copy, setting.records(), began);
    }
  }

  private static double job(
      BenchmarkSetting setting, URI endpoint, KafkaBroker broker, Cluster cluster)
      throws Exception {
    try (BenchmarkCopy copy = new BenchmarkCopy(endpoint, broker)) {
      JobGraph graph = copy.graph(setting.parallelism());
      long began = System.nanoTime();
      cluster.run(graph);
      return rate(copy, setting.records(), began);
    }
  }

  private static double rate(BenchmarkCopy copy, long records, long beganNanos) {
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    copy.requireRecords(records);
    return records / seconds;
  }
}
