package io.cutover.config;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How the copy is run and where its files are. */
public final class BackfillOptions {

  public static final ConfigOption<String> DIR =
      ConfigOptions.key("cutover.dir")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The folder of this cutover's files, as a URI of any file system that Flink knows and"
                  + " that client and cluster both reach (file, s3, ...). One cutover, one folder.");

  public static final ConfigOption<Duration> CHECKPOINT_INTERVAL =
      ConfigOptions.key("backfill.checkpoint-interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(30))
          .withDescription(
              "Time between two checkpoints, that is between two commits to the topic. Shorter than"
                  + " the Kafka transaction timeout, by more than a restart of the job takes.");

  private BackfillOptions() {}
}
