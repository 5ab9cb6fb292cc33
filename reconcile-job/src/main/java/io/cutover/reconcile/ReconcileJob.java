package io.cutover.reconcile;

import io.cutover.JobMain;
import io.cutover.Version;
import picocli.CommandLine.Command;

/**
 * The main class of the reconciliation's jar.
 *
 * <p>Exit codes: 0 the flip is cleared; 1 the sides differ; 2 not all was compared; 3 no verdict
 * could be given; 64 bad arguments or configuration.
 */
@Command(
    name = "cutover-reconcile-job.jar",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Counts both sides of a copy and clears, or refuses, the flip of the readers.",
    subcommands = ReconcileCommand.class)
public final class ReconcileJob extends JobMain {

  public ReconcileJob() {}

  public static void main(String[] args) {
    new ReconcileJob().runAndExit(args);
  }
}
