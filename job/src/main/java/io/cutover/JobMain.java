package io.cutover;

import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * What the main class of a job jar does with its command line. In application mode, where an exit
 * would take the JobManager along, a failure is thrown instead.
 */
public abstract class JobMain {

  @Option(
      names = "--stacktrace",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Prints the stack trace of a failure too.")
  private boolean stacktrace;

  /** Runs the command line and ends the process with its exit code, unless that is 0. */
  protected final void runAndExit(String... args) {
    StringBuilder reason = new StringBuilder();
    int code = run(reason, args);
    if (code == 0) {
      return;
    }
    if (ApplicationMode.isOn()) {
      throw new IllegalStateException(reason.isEmpty() ? "exit code " + code : reason.toString());
    }
    System.exit(code);
  }

  /**
   * Runs the command line; what went wrong, in one line, is appended to the reason.
   *
   * @return the exit code
   */
  public final int run(StringBuilder reason, String... args) {
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
