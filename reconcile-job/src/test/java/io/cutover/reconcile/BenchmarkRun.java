package io.cutover.reconcile;

import io.cutover.CutoverDir;
import io.cutover.backfill.Cluster;
import io.cutover.config.BackfillOptions;
import io.cutover.config.CutoverConfig;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.pin.Pin;
import io.cutover.pin.PinFile;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.survey.Survey;
import io.cutover.reconcile.telling.VerdictFiles;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A reconciliation as the command plans it.
 *
 * @param verdict what it came to
 * @param seconds from the submission of the job to its end
 */
record BenchmarkRun(VerdictReport verdict, double seconds) {

  private static final AtomicInteger RUNS = new AtomicInteger();

  /** The accumulator in which the Kinesis side counts its user records. */
  private static final String STREAM_RECORDS = "records";

  /** What runs the job, and returns at its end, whatever that is. */
  interface Launch {
    void run(StreamExecutionEnvironment env) throws Exception;
  }

  /**
   * Runs all of it.
   *
   * @throws IllegalStateException when it ends without a verdict
   */
  static BenchmarkRun of(Map<String, String> options, int parallelism, Launch launch)
      throws Exception {
    Plan plan = plan(options);
    StreamExecutionEnvironment env = environment(parallelism);
    new Reconciliation(plan).addTo(env);
    long began = System.nanoTime();
    launch.run(env);
    double seconds = (System.nanoTime() - began) / 1e9;
    VerdictReport verdict =
        new VerdictFiles(new CutoverDir(plan.config().get(BackfillOptions.DIR)))
            .of(plan.facts().run())
            .orElseThrow(() -> new IllegalStateException("the job left no verdict: see the log"));
    return new BenchmarkRun(verdict, seconds);
  }

  static BenchmarkRun of(Map<String, String> options, int parallelism, Cluster cluster)
      throws Exception {
    return of(options, parallelism, env -> cluster.runLong(env.getStreamGraph().getJobGraph()));
  }

  /**
   * Reads and counts the Kinesis side alone, which no option asks for.
   *
   * @return seconds from the submission of the job to its end
   */
  static double ofStream(
      Map<String, String> options, int parallelism, Cluster cluster, long records)
      throws Exception {
    StreamExecutionEnvironment env = environment(parallelism);
    new Reconciliation(plan(options)).stream(env).sinkTo(new DiscardingSink<>());
    JobGraph graph = env.getStreamGraph().getJobGraph();
    long began = System.nanoTime();
    JobResult result = cluster.runLong(graph);
    double seconds = (System.nanoTime() - began) / 1e9;
    Long read =
        result
            .toJobExecutionResult(BenchmarkRun.class.getClassLoader())
            .getAccumulatorResult(STREAM_RECORDS);
    require(read == records, "the Kinesis side read " + read + " records instead of " + records);
    return seconds;
  }

  private static Plan plan(Map<String, String> options) {
    Configuration config = CutoverConfig.load(Optional.empty(), options);
    Pin pin = new PinFile(new CutoverDir(config.get(BackfillOptions.DIR))).read();
    Survey survey =
        new Survey(config, KafkaClientProperties.load(config), pin, InstantSource.system());
    return survey
        .plan("%08x".formatted(RUNS.getAndIncrement()))
        .orElseThrow(() -> new IllegalStateException(survey.findings().toString()));
  }

  private static StreamExecutionEnvironment environment(int parallelism) {
    return StreamExecutionEnvironment.getExecutionEnvironment(Reconciliation.flinkConfig())
        .setParallelism(parallelism);
  }

  /** Fails unless the flip is cleared, and by so many records on either side. */
  BenchmarkRun requireCleared(long records) {
    require(
        verdict.verdict() == Verdict.CLEARED
            && verdict.totals().kinesis().records() == records
            && verdict.totals().kafka().records() == records,
        "not CLEARED by "
            + records
            + " records on either side: "
            + verdict.totals()
            + " "
            + verdict.findings());
    return this;
  }

  /** Fails unless just so many records are named as missing. */
  BenchmarkRun requireMissing(long records) {
    require(
        verdict.verdict() == Verdict.MISMATCH
            && verdict.differences().counts().equals(Map.of(Difference.Kind.MISSING, records)),
        "not "
            + records
            + " records missing: "
            + verdict.differences().counts()
            + " "
            + verdict.findings());
    return this;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
