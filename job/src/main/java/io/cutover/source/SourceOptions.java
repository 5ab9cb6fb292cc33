package io.cutover.source;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;

/** How shards are read. Names are the official Flink Kinesis connector's where the meaning is. */
public final class SourceOptions {

  public static final ConfigOption<Integer> MAX_RECORDS =
      ConfigOptions.key("source.shard.get-records.max-record-count")
          .intType()
          .defaultValue(10_000)
          .withDescription("The most records to ask for in one GetRecords call, 1 to 10000.");

  public static final ConfigOption<Duration> IDLE_INTERVAL =
      ConfigOptions.key("source.shard.get-records.idle-source-interval")
          .durationType()
          .defaultValue(Duration.ofMillis(250))
          .withDescription("Pause between two calls at the tip of a shard that is still open.");

  public static final ConfigOption<Double> MAX_CALLS =
      ConfigOptions.key("source.shard.get-records.max-calls-per-second")
          .doubleType()
          .defaultValue(2.5)
          .withDescription(
              "GetRecords calls a second and shard. AWS allows 5, shared with the live consumers;"
                  + " the default leaves them half.");

  public static final ConfigOption<MemorySize> MAX_BYTES =
      ConfigOptions.key("source.shard.get-records.max-bytes-per-second")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(1))
          .withDescription(
              "Bytes a second and shard. AWS allows 2 MiB, shared with the live consumers; the"
                  + " default leaves them half.");

  public static final ConfigOption<MemorySize> BUFFER =
      ConfigOptions.key("source.max-buffered-bytes")
          .memoryType()
          .defaultValue(MemorySize.ofMebiBytes(128))
          .withDescription(
              "Pages that one subtask may hold fetched or on their way, over all of its shards.");

  public static final ConfigOption<Duration> RETRY_TIMEOUT =
      ConfigOptions.key("source.retry-timeout")
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription(
              "How long a call is repeated against 5xx answers and broken connections before the"
                  + " job fails (and restarts from its last checkpoint). Throttling has no end.");

  public static final ConfigOption<Duration> RETENTION_MARGIN =
      ConfigOptions.key("source.retention-margin")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription(
              "The job fails when a reading position is older than the stream's retention less"
                  + " this: behind it, records may already have expired unread.");

  public static final ConfigOption<Duration> DISCOVERY_INTERVAL =
      ConfigOptions.key("source.shard.discovery.interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription(
              "Pause between two listings while the children of an ended shard are awaited.");

  public static final ConfigOption<Duration> CHILDREN_TIMEOUT =
      ConfigOptions.key("source.shard.discovery.timeout")
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription(
              "The job fails when a closed shard's children are not listed after this long.");

  private SourceOptions() {}

  /**
   * Holds the values against their ranges.
   *
   * @throws IllegalArgumentException naming the option
   */
  public static void check(ReadableConfig config) {
    int maxRecords = config.get(MAX_RECORDS);
    require(maxRecords >= 1 && maxRecords <= 10_000, MAX_RECORDS, maxRecords, "from 1 to 10000");
    double maxCalls = config.get(MAX_CALLS);
    require(maxCalls > 0, MAX_CALLS, maxCalls, "above 0");
    MemorySize maxBytes = config.get(MAX_BYTES);
    require(maxBytes.getBytes() > 0, MAX_BYTES, maxBytes, "above 0");
  }

  /**
   * Holds one value against its range; for the options of other packages too.
   *
   * @throws IllegalArgumentException naming the option, when it does not hold
   */
  public static void require(boolean holds, ConfigOption<?> option, Object value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(
          "option " + option.key() + " is " + value + ", but must be " + range);
    }
  }
}
