package io.cutover.preflight;

import io.cutover.CutoverDir;
import io.cutover.config.BackfillOptions;
import io.cutover.config.ConfigArguments;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.pin.PinFile;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says all that would keep the copy from being exact. Runs on the client; starts no job. */
@Command(
    name = "preflight",
    mixinStandardHelpOptions = true,
    versionProvider = io.cutover.Version.class,
    description =
        "Checks stream, topic and brokers before a copy, and names everything that is amiss with"
            + " what mends it. Exit code 0 when the copy may begin, 3 when not.")
public final class PreflightCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigArguments arguments;

  @Option(names = "--json", description = "Prints one JSON document instead of the table.")
  private boolean json;

  @Override
  public Integer call() {
    Configuration config = arguments.load();
    PinFile file = new PinFile(new CutoverDir(config.get(BackfillOptions.DIR)));
    KafkaClientProperties kafka = KafkaClientProperties.load(config);
    Pin pin = file.read();
    PinCheck.inputs(pin, config);
    PreflightResult result = Preflight.run(config, kafka, pin);
    print(pin, result);
    result.orRefuse();
    return 0;
  }

  private void print(Pin pin, PreflightResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(result.json());
    } else {
      out.printf(
          "Preflight of copy %s: %s up to %s into topic %s.%n%n",
          pin.id(), pin.stream().name(), pin.boundary(), pin.topic().name());
      out.print(result.table());
      if (result.passed()) {
        out.printf("%nThe copy may begin: %s.%n", result.summary());
      }
    }
    out.flush();
  }
}
