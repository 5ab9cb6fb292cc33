package io.cutover.reconcile;

import io.cutover.CutoverDir;
import io.cutover.Outcome;
import io.cutover.config.BackfillOptions;
import io.cutover.config.ConfigArguments;
import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.pin.PinFile;
import io.cutover.progress.Progress;
import io.cutover.reconcile.judge.Outlets;
import io.cutover.reconcile.judge.Unfinished;
import io.cutover.reconcile.judge.VerdictOperator;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.Span;
import io.cutover.reconcile.survey.Survey;
import io.cutover.reconcile.telling.VerdictFiles;
import io.cutover.reconcile.telling.VerdictTable;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Compares both sides of a copy and gives a verdict. Runs on the client, or in application mode's
 * main. Writes the verdict's files and nothing else, so that it may be repeated at will, and run
 * beside another.
 */
@Command(
    name = "reconcile",
    mixinStandardHelpOptions = true,
    versionProvider = io.cutover.Version.class,
    description = "Counts both sides of a copy and clears, or refuses, the flip of the readers.",
    footer =
        "Exit codes: 0 CLEARED, 1 MISMATCH, 2 PARTIAL, 3 INCONCLUSIVE, 64 bad arguments or"
            + " configuration.")
public final class ReconcileCommand implements Callable<Integer> {

  private static final int RUN_ID_BYTES = 4;
  private static final Duration JOB_MANAGER_WRITES_WITHIN = Duration.ofSeconds(10);
  private static final long LOOK_AGAIN_MILLIS = 100;

  @Spec private CommandSpec spec;

  @Mixin private ConfigArguments arguments;

  private final InstantSource clock = InstantSource.system();

  @Override
  public Integer call() throws Exception {
    Configuration config = arguments.load();
    KafkaClientProperties kafka = KafkaClientProperties.load(config);
    Pin pin = new PinFile(new CutoverDir(config.get(BackfillOptions.DIR))).read();
    PinCheck.inputs(pin, config);
    Survey survey = new Survey(config, kafka, pin, clock);
    // Refused before any server is asked.
    Span span = survey.span();
    Outlets outlets = Outlets.of(config);
    Instant startedAt = clock.instant();
    String run = runId();
    Optional<Plan> plan = survey.plan(run);
    if (plan.isEmpty()) {
      VerdictReport report =
          Unfinished.report(
              pin,
              config,
              span,
              new VerdictReport.Run(run, startedAt, clock.instant()),
              survey.findings());
      outlets.tell(report);
      spec.commandLine()
          .getOut()
          .println("Reconciliation " + run + " of copy " + pin.id() + " did not come to reading.");
      return told(report, outlets);
    }
    return reconcile(plan.get(), outlets);
  }

  private static String runId() {
    byte[] id = new byte[RUN_ID_BYTES];
    new SecureRandom().nextBytes(id);
    return HexFormat.of().formatHex(id);
  }

  private int reconcile(Plan plan, Outlets outlets) throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(Reconciliation.flinkConfig());
    new Reconciliation(plan).addTo(env);
    out.println(
        "Reconciliation "
            + plan.facts().run()
            + " of copy "
            + plan.pin().id()
            + ": "
            + plan.pin().stream().arn()
            + " and topic "
            + plan.topic()
            + ", "
            + plan.span().from()
            + " to "
            + plan.span().to()
            + ".");
    Instant readable = plan.boundary().t().plus(plan.boundary().slack());
    if (plan.rereads() && clock.instant().isBefore(readable)) {
      out.println(
          "The stream is read on until T + "
              + ReconcileOptions.SLACK.key()
              + ", in search of stragglers: not done before "
              + readable
              + ".");
    }
    out.flush();
    JobClient client = env.executeAsync("cutover reconcile " + plan.pin().id());
    if (!env.getConfiguration().get(DeploymentOptions.ATTACHED)) {
      out.println(
          "Submitted as job "
              + client.getJobID()
              + "; its verdict will be "
              + outlets.files().last()
              + ".");
      return 0;
    }
    return told(awaited(plan, client, outlets), outlets);
  }

  /** The verdict of the job; of one that failed without any, a verdict that says so. */
  private VerdictReport awaited(Plan plan, JobClient client, Outlets outlets)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Optional<Throwable> failure = Optional.empty();
    try {
      new Progress(client, new SidesWatch(plan, clock), out, System.console() != null).untilEnd();
    } catch (ExecutionException e) {
      failure = Optional.of(e);
    }
    Optional<VerdictReport> given = given(plan, outlets.files());
    if (given.isPresent() && compared(given.get())) {
      return given.get();
    }
    VerdictReport unfinished =
        Unfinished.report(
            plan,
            failure
                .map(thrown -> Outcome.of(thrown).message())
                .orElse("The job ended without a verdict."),
            clock.instant());
    outlets.tell(unfinished);
    return unfinished;
  }

  /**
   * What the job wrote. Where the stream was read, the JobManager writes a verdict for a job that
   * gave none, at about the time at which this client hears of its end; the client's own, which has
   * the cause, is to come behind it.
   */
  private static Optional<VerdictReport> given(Plan plan, VerdictFiles files)
      throws InterruptedException {
    long deadline = System.nanoTime() + JOB_MANAGER_WRITES_WITHIN.toNanos();
    Optional<VerdictReport> given = files.of(plan.facts().run());
    while (given.isEmpty() && plan.rereads() && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
      given = files.of(plan.facts().run());
    }
    return given;
  }

  /** Whether it is more than the word of the JobManager that there is none. */
  private static boolean compared(VerdictReport report) {
    return report.findings().stream().noneMatch(one -> one.code() == FindingCode.READ_FAILED);
  }

  private int told(VerdictReport report, Outlets outlets) {
    spec.commandLine().getOut().print(VerdictTable.of(report, outlets.files().page()));
    spec.commandLine().getOut().flush();
    if (report.verdict() != Verdict.CLEARED) {
      throw VerdictOperator.refusal(report);
    }
    return 0;
  }
}
