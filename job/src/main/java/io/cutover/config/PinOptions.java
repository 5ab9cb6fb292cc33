package io.cutover.config;

import static java.time.temporal.ChronoUnit.SECONDS;

import io.cutover.source.SourceOptions;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** What is frozen once for a cutover. */
public final class PinOptions {

  public static final ConfigOption<String> BOUNDARY =
      ConfigOptions.key("pin.boundary")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "T: records that arrived before it are copied. An ISO-8601 instant with a zone, such"
                  + " as 2026-11-30T00:00:00Z; without it, the Kinesis server's clock when pin runs.");

  public static final ConfigOption<Integer> WINDOW_HOURS =
      ConfigOptions.key("pin.window-hours")
          .intType()
          .noDefaultValue()
          .withDescription(
              "How many hours before T are compared when the copy is reconciled; without it, all"
                  + " that the stream retained. The copy itself is always whole.");

  public static final ConfigOption<Duration> HEADROOM =
      ConfigOptions.key("pin.headroom")
          .durationType()
          .defaultValue(Duration.ofHours(12))
          .withDescription(
              "How far the oldest record must be from expiring when the stream is pinned and when"
                  + " the copy begins; 0 accepts that records expire before they are read.");

  public static final ConfigOption<Duration> TALLY_WINDOW =
      ConfigOptions.key("tally.window")
          .durationType()
          .defaultValue(Duration.ofHours(1))
          .withDescription(
              "The length of the windows of arrival time that are counted on both sides; frozen in"
                  + " the pin.");

  public static final ConfigOption<Duration> SLACK =
      ConfigOptions.key("boundary.slack")
          .durationType()
          .defaultValue(Duration.ofSeconds(60))
          .withDescription(
              "How far behind T a shard is read on, since arrivals are neither exact nor monotonic;"
                  + " records from T on are skipped and entered in the ledger.");

  private PinOptions() {}

  /**
   * Holds the values against their ranges.
   *
   * @throws IllegalArgumentException naming the option
   */
  static void check(ReadableConfig config) {
    config
        .getOptional(WINDOW_HOURS)
        .ifPresent(hours -> SourceOptions.require(hours > 0, WINDOW_HOURS, hours, "above 0"));
    Duration headroom = config.get(HEADROOM);
    SourceOptions.require(!headroom.isNegative(), HEADROOM, headroom, "0 or above");
    Duration slack = config.get(SLACK);
    SourceOptions.require(!slack.isNegative(), SLACK, slack, "0 or above");
    Duration window = config.get(TALLY_WINDOW);
    boolean wholeSeconds = window.toSeconds() > 0 && window.equals(window.truncatedTo(SECONDS));
    SourceOptions.require(wholeSeconds, TALLY_WINDOW, window, "whole seconds, at least one");
  }
}
