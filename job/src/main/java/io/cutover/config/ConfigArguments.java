package io.cutover.config;

import io.cutover.kafka.KafkaOptions;
import io.cutover.kinesis.KinesisOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Option;

/** The arguments that every command takes its configuration from. */
public final class ConfigArguments {

  @Option(names = "--config", paramLabel = "FILE", description = "The configuration, YAML.")
  private Optional<Path> config = Optional.empty();

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Overrides one option of the configuration; may be repeated.")
  private Map<String, String> overrides = new LinkedHashMap<>();

  /**
   * The configuration that they make, with all that each command needs: the folder, the stream, the
   * topic and its brokers.
   *
   * @throws io.cutover.UsageException when it is not one, or lacks one of these
   */
  public Configuration load() {
    Configuration loaded = CutoverConfig.load(config, overrides);
    List.of(
            BackfillOptions.DIR,
            KinesisOptions.STREAM,
            KafkaOptions.TOPIC,
            KafkaOptions.BOOTSTRAP_SERVERS)
        .forEach(option -> CutoverConfig.required(loaded, option));
    return loaded;
  }
}
