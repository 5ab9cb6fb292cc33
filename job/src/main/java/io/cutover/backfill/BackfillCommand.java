package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.ApplicationMode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.BackfillOptions;
import io.cutover.config.ConfigArguments;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.pin.PinFile;
import io.cutover.preflight.Preflight;
import io.cutover.preflight.PreflightResult;
import io.cutover.progress.CopyWatch;
import io.cutover.progress.Progress;
import io.cutover.report.BackfillReport;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
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
    CutoverDir dir = new CutoverDir(options.get(BackfillOptions.DIR));
    KafkaClientProperties kafka = KafkaClientProperties.load(options);
    Pin pin = new PinFile(dir).read();
    PinCheck.inputs(pin, options);
    if (finished(pin, dir)) {
      out.println(
          "Nothing to do: the copy "
              + pin.id()
              + " is complete, see "
              + dir.location(BackfillReport.FILE)
              + ".");
      if (ApplicationMode.isOn()) {
        ApplicationMode.submitNothing("cutover backfill " + pin.id() + " (complete already)");
      }
      return 0;
    }
    CopyTerms terms = new CopyTerms(pin, options);
    Optional<PreflightResult> preflight = Optional.empty();
    if (!recovering(StreamExecutionEnvironment.getExecutionEnvironment().getConfiguration())) {
      RunClaim.refuseIfHeld(dir, pin.id());
      preflight = Optional.of(preflight(terms, kafka, out));
    }
    return run(new BackfillJob(terms, kafka, preflight), dir, out);
  }

  /**
   * Whether what is submitted may be a copy that was begun: taken up from a checkpoint or
   * savepoint, or by the main method that runs again after a failover of the JobManager. Then the
   * job alone knows what must be checked, and does: this client asks no server.
   */
  static boolean recovering(ReadableConfig flink) {
    return ApplicationMode.isOn(flink)
        || flink.getOptional(StateRecoveryOptions.SAVEPOINT_PATH).isPresent();
  }

  private static PreflightResult preflight(
      CopyTerms terms, KafkaClientProperties kafka, PrintWriter out) {
    PreflightResult result = Preflight.run(terms.config(), kafka, terms.pin());
    result.orRefuseInDetail();
    out.println("Preflight: " + result.summary() + ".");
    return result;
  }

  private static int run(BackfillJob job, CutoverDir dir, PrintWriter out) throws Exception {
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
      out.println(
          "Submitted as job "
              + client.getJobID()
              + "; its report will be "
              + dir.location(BackfillReport.FILE)
              + ".");
      return 0;
    }
    new Progress(client, new CopyWatch(pin, InstantSource.system()), out, System.console() != null)
        .untilEnd();
    JsonNode report =
        BackfillReport.in(dir)
            .orElseThrow(
                () ->
                    new Refusal(
                        Reason.STOPPED_EARLY,
                        "the job ended before the whole lineage was copied (stopped with a"
                            + " savepoint?): take the savepoint up with flink run -s to go on"));
    new CopySummary(report, dir.location(BackfillReport.FILE)).lines().forEach(out::println);
    return 0;
  }

  private static boolean finished(Pin pin, CutoverDir dir) {
    Optional<JsonNode> report = BackfillReport.in(dir);
    if (report.isEmpty()) {
      return false;
    }
    String reported = report.get().path("pin").asText();
    if (!reported.equals(pin.id())) {
      throw new Refusal(
          Reason.FOLDER_OF_ANOTHER,
          dir.location(BackfillReport.FILE)
              + " is the report of another copy ("
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
