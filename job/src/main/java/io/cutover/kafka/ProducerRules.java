package io.cutover.kafka;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What the copy's exactness stands on: a user's client properties may state it, but not bend it.
 */
final class ProducerRules {

  /** Above it, a batch that is sent again can overtake another, even with idempotence. */
  private static final int MOST_IN_FLIGHT = 5;

  private static final Map<String, List<String>> ONLY =
      Map.of(
          // "-1" is the other name of "all".
          ProducerConfig.ACKS_CONFIG, List.of("all", "-1"),
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, List.of("true"),
          ConsumerConfig.ISOLATION_LEVEL_CONFIG, List.of("read_committed"));

  private static final Map<String, String> OURS =
      Map.of(
          ProducerConfig.TRANSACTIONAL_ID_CONFIG, "the copy names its transactions itself",
          ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG,
              "the copy's transactions end by their timeout",
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, "the copy writes keys as they were read",
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, "the copy writes values as they were read",
          ProducerConfig.PARTITIONER_CLASS_CONFIG,
              "the copy chooses partitions by Kafka's key hash",
          ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG,
              "the copy chooses partitions by Kafka's key hash",
          ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, "an interceptor could alter what is copied");

  private ProducerRules() {}

  /**
   * @throws Refusal that names the first property that would weaken the copy or that Kafka does not
   *     take
   */
  static void check(Properties properties) {
    ONLY.forEach(
        (name, values) -> {
          String given = properties.getProperty(name, values.get(0)).strip();
          if (!values.contains(given)) {
            throw refused(name, given, "the copy needs " + values.get(0));
          }
        });
    OURS.forEach(
        (name, why) -> {
          if (properties.containsKey(name)) {
            throw refused(name, properties.getProperty(name), why);
          }
        });
    Map<String, Object> parsed = parsed(properties);
    int inFlight = (int) parsed.get(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION);
    if (inFlight > MOST_IN_FLIGHT) {
      throw refused(
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
          Integer.toString(inFlight),
          "above " + MOST_IN_FLIGHT + " order is lost when a batch is sent again");
    }
    if ((int) parsed.get(ProducerConfig.RETRIES_CONFIG) == 0) {
      throw refused(ProducerConfig.RETRIES_CONFIG, "0", "a batch must be sent again when it fails");
    }
  }

  /** Kafka checks types and ranges on the TaskManager only; a person waits for it here. */
  private static Map<String, Object> parsed(Properties properties) {
    Properties whole = new Properties();
    whole.putAll(properties);
    whole.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    whole.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    try {
      return ProducerConfig.configDef().parse(whole);
    } catch (ConfigException e) {
      throw new Refusal(
          Reason.KAFKA_PROPERTIES,
          "Kafka does not take the client properties in the file that "
              + KafkaOptions.CLIENT_PROPERTIES.key()
              + " names: "
              + e.getMessage(),
          e);
    }
  }

  static Refusal refused(String name, String given, String why) {
    return new Refusal(
        Reason.KAFKA_PROPERTIES,
        "the Kafka client properties set "
            + name
            + " = "
            + given
            + ", but "
            + why
            + ": remove the line from the file that "
            + KafkaOptions.CLIENT_PROPERTIES.key()
            + " names");
  }
}
