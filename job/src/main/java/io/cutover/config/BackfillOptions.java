package io.cutover.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** How the copy is run and where its files are. */
public final class BackfillOptions {

  public static final ConfigOption<String> DIR =
      ConfigOptions.key("cutover.dir")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The folder of this cutover's files, as a URI of any file system that Flink knows and"
                  + " that client and cluster both reach (file, s3, ...). One cutover, one folder."
                  + " For S3 both need the plugin flink-s3-fs-hadoop.");

  public static final ConfigOption<Duration> CHECKPOINT_INTERVAL =
      ConfigOptions.key("backfill.checkpoint-interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(30))
          .withDescription(
              "Time between two checkpoints, that is between two commits to the topic. Shorter than"
                  + " the Kafka transaction timeout, by more than a restart of the job takes.");

  private BackfillOptions() {}

  /**
   * @throws IllegalArgumentException when the folder has no scheme, or is no URI
   */
  static void check(ReadableConfig config) {
    config
        .getOptional(DIR)
        .ifPresent(
            dir -> {
              if (!isHierarchical(dir)) {
                throw new IllegalArgumentException(
                    "option "
                        + DIR.key()
                        + " is "
                        + dir
                        + ", but must be a URI with a scheme and without blanks, such as file:///srv/cutovers/orders"
                        + " or s3://bucket/cutovers/orders");
              }
            });
  }

  private static boolean isHierarchical(String dir) {
    try {
      URI uri = new URI(dir);
      return uri.getScheme() != null && !uri.isOpaque();
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
