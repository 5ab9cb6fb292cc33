package io.cutover.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
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
   * The configuration that they make.
   *
   * @throws io.cutover.UsageException when it is not one
   */
  public Configuration load() {
    return CutoverConfig.load(config, overrides);
  }
}
