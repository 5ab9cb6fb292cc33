package io.cutover;

import io.cutover.backfill.BackfillCommand;
import io.cutover.pin.PinCommand;
import io.cutover.preflight.PreflightCommand;
import picocli.CommandLine.Command;

/**
 * The main class of the job jar.
 *
 * <p>Exit codes: 0 the copy is whole in the topic; 1 it failed; 3 it was refused, or given up
 * because it could not become exact; 64 bad arguments or configuration.
 */
@Command(
    name = "cutover-job.jar",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Copies a Kinesis stream's history into a Kafka topic, exactly once and in order.",
    subcommands = {PinCommand.class, PreflightCommand.class, BackfillCommand.class})
public final class CutoverJob extends JobMain {

  CutoverJob() {}

  public static void main(String[] args) {
    new CutoverJob().runAndExit(args);
  }
}
