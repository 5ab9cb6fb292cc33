package io.cutover.kafka;

import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where the copy goes and what its keys are. */
public final class KafkaOptions {

  /** What the key of a Kafka record is. */
  public enum Key {
    /** The partition key, verbatim. A record without one is refused. */
    PARTITION_KEY,
    /** None: the copy carries no keys, as a stream that ignores them demands. */
    NONE;

    /** The option's value, which Flink takes from here. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static final ConfigOption<String> TOPIC =
      ConfigOptions.key("kafka.topic")
          .stringType()
          .noDefaultValue()
          .withDescription("The topic that takes the copy. It must exist.");

  public static final ConfigOption<String> BOOTSTRAP_SERVERS =
      ConfigOptions.key("kafka.bootstrap.servers")
          .stringType()
          .noDefaultValue()
          .withDescription("Kafka's bootstrap servers, host:port, separated by commas.");

  public static final ConfigOption<String> CLIENT_PROPERTIES =
      ConfigOptions.key("kafka.client.properties")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A file of further Kafka client properties: security, batching, compression. What"
                  + " would weaken the copy is refused. A relative path starts at the working"
                  + " directory of the client.");

  public static final ConfigOption<Key> KEY =
      ConfigOptions.key("kafka.key")
          .enumType(Key.class)
          .defaultValue(Key.PARTITION_KEY)
          .withDescription(
              "The key of each Kafka record: partition-key, or none for a stream whose distribution"
                  + " strategy is AUTO.");

  private KafkaOptions() {}
}
