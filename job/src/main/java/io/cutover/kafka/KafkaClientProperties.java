package io.cutover.kafka;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.io.IOException;
import java.io.Reader;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The Kafka client properties of a run: the user's file, our defaults, and what neither may bend.
 */
public final class KafkaClientProperties implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Below the broker's default maximum, 15 min; Flink's default, 1 h, would be refused. */
  private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(15);

  private static final Map<String, String> DEFAULTS =
      Map.of(
          ProducerConfig.ACKS_CONFIG, "all",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "5",
          // Until the delivery timeout, not a number of times.
          ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE),
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "120000",
          ProducerConfig.LINGER_MS_CONFIG, "5",
          ProducerConfig.BATCH_SIZE_CONFIG, "65536",
          ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd",
          ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, Long.toString(TRANSACTION_TIMEOUT.toMillis()));

  private final Properties properties;

  private KafkaClientProperties(Properties properties) {
    this.properties = properties;
  }

  /**
   * Reads the file that the configuration names, if it names one.
   *
   * @throws Refusal when the file cannot be read or would weaken the copy
   */
  public static KafkaClientProperties load(ReadableConfig config) {
    Properties properties = new Properties();
    DEFAULTS.forEach(properties::setProperty);
    Optional<String> file = config.getOptional(KafkaOptions.CLIENT_PROPERTIES);
    file.ifPresent(path -> read(Path.of(path), properties));
    properties.setProperty(
        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.get(KafkaOptions.BOOTSTRAP_SERVERS));
    checkTransactionTimeout(properties);
    ProducerRules.check(properties);
    return new KafkaClientProperties(properties);
  }

  private static void read(Path file, Properties into) {
    try (Reader reader = Files.newBufferedReader(file)) {
      into.load(reader);
    } catch (NoSuchFileException e) {
      throw new Refusal(
          Reason.KAFKA_PROPERTIES,
          KafkaOptions.CLIENT_PROPERTIES.key()
              + " names "
              + file
              + ", but there is no such file"
              + (file.isAbsolute()
                  ? ""
                  : " in the working directory " + Path.of("").toAbsolutePath()),
          e);
    } catch (IOException | IllegalArgumentException e) {
      throw new Refusal(
          Reason.KAFKA_PROPERTIES,
          KafkaOptions.CLIENT_PROPERTIES.key()
              + " names "
              + file
              + ", which cannot be read as a properties file: "
              + e,
          e);
    }
  }

  private static void checkTransactionTimeout(Properties properties) {
    String given = properties.getProperty(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
    if (!given.matches("[1-9][0-9]{0,8}")) {
      throw ProducerRules.refused(
          ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, given, "it is a number of milliseconds");
    }
  }

  public Duration transactionTimeout() {
    return Duration.ofMillis(
        Long.parseLong(properties.getProperty(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG)));
  }

  public String bootstrapServers() {
    return properties.getProperty(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
  }

  public Properties producer() {
    return copy();
  }

  /**
   * For a producer that takes the largest record: what the file leaves open is set to fit it, what
   * the file states is left as it is.
   */
  public Properties producer(LargestRecord largest) {
    Properties producer = copy();
    largest.settings().forEach(producer::putIfAbsent);
    return producer;
  }

  public Properties admin() {
    return copy();
  }

  /** For reading committed records only, from where the reader says. */
  public Properties consumer() {
    Properties consumer = copy();
    consumer.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    consumer.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    consumer.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    consumer.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    consumer.setProperty(
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    consumer.setProperty(
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    return consumer;
  }

  private Properties copy() {
    Properties copy = new Properties();
    copy.putAll(properties);
    return copy;
  }
}
