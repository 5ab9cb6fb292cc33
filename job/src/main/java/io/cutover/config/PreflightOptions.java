package io.cutover.config;

import io.cutover.source.SourceOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** What is looked at before a copy begins. */
public final class PreflightOptions {

  public static final ConfigOption<String> WAIVE =
      ConfigOptions.key("preflight.waive")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Names of checks, separated by commas, that may stay unknown because the principal"
                  + " may not look (managed clusters). A failure cannot be waived.");

  public static final ConfigOption<Duration> LONGEST_RESTART =
      ConfigOptions.key("preflight.longest-restart")
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription(
              "How long a restart of the job may take, from the failure to the next commit. This"
                  + " and backfill.checkpoint-interval together must fit into the Kafka transaction"
                  + " timeout.");

  private PreflightOptions() {}

  /** The names that {@link #WAIVE} lists. */
  public static List<String> waived(ReadableConfig config) {
    return config.getOptional(WAIVE).stream()
        .flatMap(list -> Arrays.stream(list.split(",")))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /**
   * @throws IllegalArgumentException naming the option
   */
  static void check(ReadableConfig config) {
    Duration restart = config.get(LONGEST_RESTART);
    SourceOptions.require(!restart.isNegative(), LONGEST_RESTART, restart, "0 or above");
  }
}
