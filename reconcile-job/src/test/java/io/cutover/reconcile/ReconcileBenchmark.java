package io.cutover.reconcile;

import io.cutover.backfill.BareReading;
import io.cutover.backfill.BenchmarkCopy;
import io.cutover.backfill.Cluster;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.rig.TopicContents;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What a reconciliation costs, in one run: {@code reconcile-job/benchmark.sh}. Emulator, broker and
 * reader share the machine. Times are whole: from the submission of a job to its end, and from the
 * start of a loop to its last record. Every run must come to the right verdict and number of
 * records, else the benchmark fails.
 *
 * <ol>
 *   <li>Records per second beside bare loops that read and count: of the Kinesis side (the job's
 *       own source and count, without the rest), of the Kafka side (a run that takes the witness
 *       for the stream), and of the whole, whose bare loops run at the same time.
 *   <li>Peak memory at two sizes, in a JVM of its own with the same heap.
 *   <li>What it costs to name ten missing records, beside a clean copy of the same size.
 * </ol>
 */
final class ReconcileBenchmark {

  private static final String HEAP = "768m";
  private static final long COLLECT_MILLIS = 500;
  private static final int MISSING = 10;
  private static final double MB = 1024 * 1024;

  private final KafkaBroker broker;
  private final int rounds;
  private final double scale;

  private ReconcileBenchmark(KafkaBroker broker, int rounds, double scale) {
    this.broker = broker;
    this.rounds = rounds;
    this.scale = scale;
  }

  /** Arguments: counted rounds (3), and a factor on the number of records (1.0). */
  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1.0;
    try (KafkaBroker broker = KafkaBroker.builder().longLived().start()) {
      ReconcileBenchmark benchmark = new ReconcileBenchmark(broker, rounds, scale);
      try (BenchmarkStage stage = benchmark.stage(2_000_000)) {
        benchmark.speed(stage);
      }
      try (BenchmarkStage stage = benchmark.stage(1_000_000)) {
        benchmark.memory(stage);
        benchmark.drillDown(stage);
      }
      try (BenchmarkStage stage = benchmark.stage(4_000_000)) {
        benchmark.memory(stage);
      }
    }
    System.exit(0);
  }

  private BenchmarkStage stage(int records) throws Exception {
    return BenchmarkStage.of((int) (records * scale), broker);
  }

  /** A measurement in seconds. */
  private interface Measured {
    double seconds() throws Exception;
  }

  private void speed(BenchmarkStage stage) throws Exception {
    heading("Records a second", stage);
    long records = stage.setting().records();
    int parallelism = stage.setting().parallelism();
    Map<String, String> options = stage.copy().options();
    Map<String, String> witness = with(options, "witness");
    List<Comparison> comparisons =
        List.of(new Comparison("Kinesis"), new Comparison("Kafka"), new Comparison("both"));
    try (Cluster cluster = new Cluster(1, parallelism)) {
      List<Measured> bare =
          List.of(
              timed(() -> bareStream(stage)), timed(() -> bareTopic(stage)), () -> bareBoth(stage));
      List<Measured> jobs =
          List.of(
              () -> BenchmarkRun.ofStream(options, parallelism, cluster, records),
              () -> cleared(witness, cluster, stage),
              () -> cleared(options, cluster, stage));
      for (int round = 0; round <= rounds; round++) {
        List<Double> loops = all(bare);
        List<Double> runs = all(jobs);
        for (int i = 0; i < comparisons.size(); i++) {
          comparisons.get(i).took(round, records, loops.get(i), runs.get(i));
        }
      }
    }
    comparisons.forEach(Comparison::printMedian);
  }

  private static List<Double> all(List<Measured> measured) throws Exception {
    List<Double> seconds = new ArrayList<>();
    for (Measured one : measured) {
      seconds.add(one.seconds());
    }
    return seconds;
  }

  /** The runs of a job beside those of its bare loop. */
  private static final class Comparison {
    private final String what;
    private final List<Double> bare = new ArrayList<>();
    private final List<Double> jobs = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();

    Comparison(String what) {
      this.what = what;
    }

    void took(int round, long records, double bareSeconds, double jobSeconds) {
      double loop = records / bareSeconds;
      double job = records / jobSeconds;
      print(round == 0 ? "warm-up" : "round " + round, loop, job, job / loop);
      if (round > 0) {
        bare.add(loop);
        jobs.add(job);
        ratios.add(job / loop);
      }
    }

    void printMedian() {
      print("median", median(bare), median(jobs), median(ratios));
    }

    private void print(String round, double loop, double job, double ratio) {
      System.out.printf(
          "  %-8s  %-7s  bare loop %,9.0f records/s   reconciliation %,9.0f records/s   ratio %.2f%n",
          round, what, loop, job, ratio);
    }
  }

  private interface Loop {
    void run() throws Exception;
  }

  private static Measured timed(Loop loop) {
    return () -> {
      long began = System.nanoTime();
      loop.run();
      return (System.nanoTime() - began) / 1e9;
    };
  }

  private static void bareStream(BenchmarkStage stage) throws Exception {
    requireAll(stage, new BareReading(stage.server().endpoint()).count());
  }

  private static void bareTopic(BenchmarkStage stage) {
    requireAll(stage, TopicContents.count(stage.copy().bootstrapServers(), stage.copy().topic()));
  }

  private static double bareBoth(BenchmarkStage stage) throws Exception {
    return timed(
            () -> {
              CompletableFuture<Void> topic = CompletableFuture.runAsync(() -> bareTopic(stage));
              bareStream(stage);
              topic.join();
            })
        .seconds();
  }

  private static void requireAll(BenchmarkStage stage, long found) {
    if (found != stage.setting().records()) {
      throw new IllegalStateException(
          "a bare loop read " + found + " records instead of " + stage.setting().records());
    }
  }

  private static double cleared(Map<String, String> options, Cluster cluster, BenchmarkStage stage)
      throws Exception {
    return BenchmarkRun.of(options, stage.setting().parallelism(), cluster)
        .requireCleared(stage.setting().records())
        .seconds();
  }

  private static Map<String, String> with(Map<String, String> options, String evidence) {
    Map<String, String> more = new TreeMap<>(options);
    more.put("reconcile.evidence", evidence);
    return more;
  }

  private void memory(BenchmarkStage stage) throws Exception {
    heading("Peak memory, -Xmx" + HEAP, stage);
    MemoryRun left = memory(stage, 0);
    MemoryRun live = memory(stage, COLLECT_MILLIS);
    System.out.printf(
        "  heap behind a collection %,.0f MB, live %,.0f MB, resident %,.0f MB (%.1f s, %d"
            + " collections; live is from a second run, %d full collections)%n",
        left.heapBytes() / MB,
        live.heapBytes() / MB,
        left.residentBytes() / MB,
        left.seconds(),
        left.collections(),
        live.collections());
  }

  private static MemoryRun memory(BenchmarkStage stage, long collectMillis) throws Exception {
    return MemoryRun.of(
        stage.copy(),
        stage.setting().records(),
        stage.setting().parallelism(),
        HEAP,
        collectMillis);
  }

  private void drillDown(BenchmarkStage stage) throws Exception {
    heading(MISSING + " records missing", stage);
    int parallelism = stage.setting().parallelism();
    List<Double> clean = new ArrayList<>();
    List<Double> differing = new ArrayList<>();
    try (BenchmarkCopy thinned = ThinnedCopy.of(stage.copy(), stage.setting().records(), MISSING);
        Cluster cluster = new Cluster(1, parallelism)) {
      for (int round = 0; round <= rounds; round++) {
        double whole = cleared(with(stage.copy().options(), "reread"), cluster, stage);
        double thin =
            BenchmarkRun.of(with(thinned.options(), "reread"), parallelism, cluster)
                .requireMissing(MISSING)
                .seconds();
        if (round > 0) {
          clean.add(whole);
          differing.add(thin);
        }
      }
    }
    System.out.printf(
        "  clean %.1f s, with the records named %.1f s (medians)%n",
        median(clean), median(differing));
  }

  private static void heading(String what, BenchmarkStage stage) {
    System.out.printf(
        "%s: %s, %,d records of 1 KB, parallelism %d; load average %.1f%n",
        what,
        stage.setting().name(),
        stage.setting().records(),
        stage.setting().parallelism(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
