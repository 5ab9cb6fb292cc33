package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.UsageException;
import io.cutover.config.BackfillOptions;
import io.cutover.config.ConfigArguments;
import io.cutover.config.CutoverConfig;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kafka.Topic;
import io.cutover.kafka.TopicDescription;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.kinesis.StreamDescription;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.pin.PinFile;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Copies every record with arrival before T. Runs on the client, or in application mode's main. */
@Command(
    name = "backfill",
    mixinStandardHelpOptions = true,
    versionProvider = io.cutover.Version.class,
    description = "Copies everything that the stream still retains from before T into the topic.")
public final class BackfillCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigArguments arguments;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Configuration options = arguments.load();
    String dir = CutoverConfig.required(options, BackfillOptions.DIR);
    CutoverConfig.required(options, KafkaOptions.BOOTSTRAP_SERVERS);
    KafkaClientProperties kafka = KafkaClientProperties.load(options);
    checkTransactionTimeout(options, kafka);
    Pin pin = new PinFile(new CutoverDir(dir)).read();
    PinCheck.inputs(pin, options);
    if (finished(pin, dir)) {
      out.println("Nothing to do: the copy " + pin.id() + " is complete, see " + dir + ".");
      return 0;
    }
    StreamDescription stream = KinesisAnswer.describe(options);
    checkKeys(options, stream);
    PinCheck.stream(pin, stream);
    TopicDescription topic = Topic.describe(kafka, pin.topic().name());
    PinCheck.topic(pin, topic);
    BackfillJob job = new BackfillJob(new CopyTerms(pin, options), kafka);
    return run(job, dir, out);
  }

  private static int run(BackfillJob job, String dir, PrintWriter out) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flinkConfig());
    job.addTo(env);
    Pin pin = job.terms().pin();
    out.println(
        "Copy "
            + pin.id()
            + ": "
            + pin.stream().arn()
            + " up to "
            + pin.boundary()
            + " into topic "
            + pin.topic().name()
            + ".");
    out.flush();
    JobClient client = env.executeAsync("cutover backfill " + pin.id());
    if (!env.getConfiguration().get(DeploymentOptions.ATTACHED)) {
      out.println("Submitted as job " + client.getJobID() + "; its report will be in " + dir + ".");
      return 0;
    }
    new Progress(client, pin, out, System.console() != null).untilEnd();
    JsonNode report =
        BackfillReport.in(new CutoverDir(dir))
            .orElseThrow(
                () ->
                    new Refusal(
                        Reason.STOPPED_EARLY,
                        "the job ended before the whole lineage was copied (stopped with a"
                            + " savepoint?): take the savepoint up with flink run -s to go on"));
    new CopySummary(report, new CutoverDir(dir).location(BackfillReport.FILE))
        .lines()
        .forEach(out::println);
    return 0;
  }

  private static void checkTransactionTimeout(Configuration options, KafkaClientProperties kafka) {
    if (kafka.transactionTimeout().compareTo(options.get(BackfillOptions.CHECKPOINT_INTERVAL))
        <= 0) {
      throw new UsageException(
          Reason.TIMEOUTS_TOO_SHORT,
          "transaction.timeout.ms ("
              + kafka.transactionTimeout()
              + ") must be longer than "
              + BackfillOptions.CHECKPOINT_INTERVAL.key()
              + " ("
              + options.get(BackfillOptions.CHECKPOINT_INTERVAL)
              + ") and the longest restart together: the broker aborts what outlives it");
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
          Reason.KEYS_IGNORED,
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

  private static boolean finished(Pin pin, String dir) {
    Optional<JsonNode> report = BackfillReport.in(new CutoverDir(dir));
    if (report.isEmpty()) {
      return false;
    }
    String reported = report.get().path("pin").asText();
    if (!reported.equals(pin.id())) {
      throw new Refusal(
          Reason.FOLDER_OF_ANOTHER,
          dir
              + " holds the report of another copy ("
              + reported
              + " of "
              + report.get().path("stream").asText()
              + " up to "
              + report.get().path("boundary").asText()
              + "; this one is "
              + pin.id()
              + "): give each cutover a "
              + BackfillOptions.DIR.key()
              + " of its own");
    }
    return true;
  }
}
