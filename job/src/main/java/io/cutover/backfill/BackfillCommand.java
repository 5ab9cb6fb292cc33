package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.Refusal;
import io.cutover.config.BackfillOptions;
import io.cutover.config.CutoverConfig;
import io.cutover.config.UsageException;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kafka.Topic;
import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.StreamDescription;
import io.cutover.pin.Boundary;
import io.cutover.pin.Copy;
import io.cutover.pin.PinOptions;
import io.cutover.source.StreamLife;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Copies every record with arrival before T. Runs on the client, or in application mode's main. */
@Command(
    name = "backfill",
    mixinStandardHelpOptions = true,
    versionProvider = io.cutover.Version.class,
    description = "Copies everything that the stream still retains from before T into the topic.")
public final class BackfillCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(names = "--config", paramLabel = "FILE", description = "The configuration, YAML.")
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Overrides one option of the configuration; may be repeated.")
  private Map<String, String> overrides = new LinkedHashMap<>();

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Configuration options = CutoverConfig.load(config, overrides);
    String dir = CutoverConfig.required(options, BackfillOptions.DIR);
    CutoverConfig.required(options, KinesisOptions.STREAM);
    CutoverConfig.required(options, KafkaOptions.BOOTSTRAP_SERVERS);
    String topic = CutoverConfig.required(options, KafkaOptions.TOPIC);
    Boundary boundary =
        new Boundary(
            CutoverConfig.instant(options, PinOptions.BOUNDARY), options.get(PinOptions.SLACK));
    KafkaClientProperties kafka = KafkaClientProperties.load(options);
    checkTransactionTimeout(options, kafka);

    StreamDescription stream = describe(options);
    checkBoundary(boundary, stream);
    checkKeys(options, stream);
    Copy copy = Copy.of(stream.arn(), stream.createdAt(), topic, boundary.t());
    if (finished(copy, dir)) {
      out.println("Nothing to do: the copy " + copy.pinId() + " is complete, see " + dir + ".");
      return 0;
    }
    int partitions = Topic.partitions(kafka, topic);
    BackfillJob job =
        new BackfillJob(
            options,
            kafka,
            copy,
            boundary,
            partitions,
            new StreamLife(stream.createdAt(), stream.retention()));
    return run(job, dir, out);
  }

  private static int run(BackfillJob job, String dir, PrintWriter out) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flinkConfig());
    job.addTo(env);
    Copy copy = job.copy();
    out.println(
        "Copy "
            + copy.pinId()
            + ": "
            + copy.streamArn()
            + " up to "
            + copy.boundary()
            + " into topic "
            + copy.topic()
            + ".");
    out.flush();
    JobClient client = env.executeAsync("cutover backfill " + copy.pinId());
    if (!env.getConfiguration().get(DeploymentOptions.ATTACHED)) {
      out.println("Submitted as job " + client.getJobID() + "; its report will be in " + dir + ".");
      return 0;
    }
    new Progress(client, out).untilEnd();
    JsonNode report =
        BackfillReport.in(dir)
            .orElseThrow(
                () ->
                    new Refusal(
                        "the job ended before the whole lineage was copied (stopped with a"
                            + " savepoint?): take the savepoint up with flink run -s to go on"));
    out.println(summary(report));
    return 0;
  }

  private static String summary(JsonNode report) {
    JsonNode totals = report.path("totals");
    return "Complete: "
        + totals.path("records").asLong()
        + " user records ("
        + totals.path("bytes").asLong()
        + " bytes) of "
        + totals.path("shards").asInt()
        + " shards copied; "
        + totals.path("skipped").asLong()
        + " from T on skipped; "
        + totals.path("aggregates").asLong()
        + " aggregates taken apart, "
        + totals.path("malformed").asLong()
        + " malformed ones kept whole.";
  }

  private static StreamDescription describe(Configuration options) {
    try (KinesisStream stream = new KinesisStream(options, 1)) {
      return stream.describe();
    } catch (Refusal refusal) {
      throw refusal;
    } catch (RuntimeException e) {
      String named = options.get(KinesisOptions.STREAM);
      throw new Refusal(
          "the stream "
              + named
              + options.getOptional(KinesisOptions.ENDPOINT).map(u -> " at " + u).orElse("")
              + " cannot be described ("
              + KinesisFailure.of(e)
              + "): "
              + e.getMessage(),
          e);
    }
  }

  private static void checkTransactionTimeout(Configuration options, KafkaClientProperties kafka) {
    if (kafka.transactionTimeout().compareTo(options.get(BackfillOptions.CHECKPOINT_INTERVAL))
        <= 0) {
      throw new UsageException(
          "transaction.timeout.ms ("
              + kafka.transactionTimeout()
              + ") must be longer than "
              + BackfillOptions.CHECKPOINT_INTERVAL.key()
              + " ("
              + options.get(BackfillOptions.CHECKPOINT_INTERVAL)
              + ") and the longest restart together: the broker aborts what outlives it");
    }
  }

  private static void checkBoundary(Boundary boundary, StreamDescription stream) {
    Instant now = stream.serverTime();
    // The server's clock comes in whole seconds, rounded down.
    if (boundary.t().isAfter(now.plusSeconds(1))) {
      throw new Refusal(
          "T is "
              + boundary.t()
              + ", in the future: the server's clock shows "
              + now
              + ". Give a T that has passed");
    }
  }

  private static void checkKeys(Configuration options, StreamDescription stream) {
    boolean none = options.get(KafkaOptions.KEY) == KafkaOptions.Key.NONE;
    String strategy = stream.distributionStrategy().orElse("not told");
    boolean unknown =
        stream.distributionStrategy().isEmpty()
            && stream.mode().equals(Optional.of("ON_DEMAND"))
            && options.getOptional(KafkaOptions.KEY).isEmpty();
    if ((strategy.equals("AUTO") && !none) || unknown) {
      throw new Refusal(
          "the distribution strategy of stream "
              + stream.name()
              + " is "
              + strategy
              + ": a stream with AUTO ignored the partition keys, so there is no order by key to"
              + " copy. Set "
              + KafkaOptions.KEY.key()
              + " = none to copy it without keys"
              + (unknown ? ", or = partition-key if you know that it was never AUTO" : ""));
    }
  }

  private static boolean finished(Copy copy, String dir) {
    Optional<JsonNode> report = BackfillReport.in(dir);
    if (report.isEmpty()) {
      return false;
    }
    String pin = report.get().path("pin").asText();
    if (!pin.equals(copy.pinId())) {
      throw new Refusal(
          dir
              + " holds the report of another copy ("
              + pin
              + " of "
              + report.get().path("stream").asText()
              + " up to "
              + report.get().path("boundary").asText()
              + "; this one is "
              + copy.pinId()
              + "): give each cutover a "
              + BackfillOptions.DIR.key()
              + " of its own");
    }
    return true;
  }
}
