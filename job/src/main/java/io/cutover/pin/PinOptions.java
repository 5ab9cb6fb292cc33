package io.cutover.pin;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What is frozen once for a cutover. */
public final class PinOptions {

  public static final ConfigOption<String> BOUNDARY =
      ConfigOptions.key("pin.boundary")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "T: records that arrived before it are copied. An ISO-8601 instant with a zone, such"
                  + " as 2026-11-30T00:00:00Z.");

  public static final ConfigOption<Duration> SLACK =
      ConfigOptions.key("boundary.slack")
          .durationType()
          .defaultValue(Duration.ofSeconds(60))
          .withDescription(
              "How far behind T a shard is read on, since arrivals are neither exact nor monotonic;"
                  + " records from T on are skipped and entered in the ledger.");

  private PinOptions() {}
}
