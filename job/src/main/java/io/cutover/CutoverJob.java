package io.cutover;

import io.cutover.backfill.BackfillCommand;
import io.cutover.pin.PinCommand;
import io.cutover.preflight.PreflightCommand;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The main class of the job jar.
 *
 * <p>Exit codes: 0 the copy is whole in the topic; 1 it failed; 3 it was refused, or given up
 * because it could not become exact; 64 bad arguments or configuration. In application mode, where
 * an exit would take the JobManager along, a failure is thrown instead.
 */
@Command(
    name = "cutover-job.jar",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Copies a Kinesis stream's history into a Kafka topic, exactly once and in order.",
    subcommands = {PinCommand.class, PreflightCommand.class, BackfillCommand.class})
public final class CutoverJob {

  @Option(
      names = "--stacktrace",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Prints the stack trace of a failure too.")
  private boolean stacktrace;

  CutoverJob() {}

  public static void main(String[] args) {
    CutoverJob job = new CutoverJob();
    StringBuilder reason = new StringBuilder();
    int code = job.run(reason, args);
    if (code == 0) {
      return;
    }
    if (ApplicationMode.isOn()) {
      throw new IllegalStateException(reason.isEmpty() ? "exit code " + code : reason.toString());
    }
    System.exit(code);
  }

  /** Runs the command line; what went wrong, in one line, is appended to the reason. */
  int run(StringBuilder reason, String... args) {
    CommandLine line = new CommandLine(this);
    line.setExecutionExceptionHandler(
        (thrown, command, parsed) -> {
          Outcome outcome = Outcome.of(thrown);
          reason.append(outcome.message());
          command.getErr().println(command.getCommandName() + ": " + outcome.message());
          if (stacktrace) {
            thrown.printStackTrace(command.getErr());
          }
          return outcome.exitCode();
        });
    line.setParameterExceptionHandler(
        (wrong, parsed) -> {
          String message = Reason.BAD_ARGUMENTS.of(wrong.getMessage());
          reason.append(message);
          wrong.getCommandLine().getErr().println(message);
          wrong.getCommandLine().usage(wrong.getCommandLine().getErr());
          return Reason.USAGE;
        });
    if (Arrays.asList(args).isEmpty()) {
      line.usage(line.getErr());
      return Reason.USAGE;
    }
    return line.execute(args);
  }
}
