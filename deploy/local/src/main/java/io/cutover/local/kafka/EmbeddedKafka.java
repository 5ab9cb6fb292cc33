package io.cutover.local.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import org.apache.kafka.common.utils.Time;

/**
 * The same broker within this JVM: up in a second or two, for tests that do not kill it.
 *
 * <p>It takes this JVM's heap and logs as this JVM logs. Where a test asks what survives a crash,
 * take {@link KafkaBroker}.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private final BrokerSettings settings;
  private final Server server;

  private EmbeddedKafka(BrokerSettings settings, Server server) {
    this.settings = settings;
    this.server = server;
  }

  /** A broker on a free port, its data in a temporary directory that is deleted at close. */
  public static EmbeddedKafka start() {
    return start(Map.of());
  }

  /**
   * As {@link #start()}, with settings of one's own.
   *
   * @param properties broker properties, over the defaults that {@link KafkaBroker} has too
   * @param further listeners beside the plain one, which stays the brokers' own
   */
  public static EmbeddedKafka start(Map<String, String> properties, Listener... further) {
    int port = FreePorts.pick(0);
    BrokerSettings settings =
        new BrokerSettings(
            port,
            FreePorts.pick(port),
            Directories.temporary(),
            true,
            "",
            false,
            Duration.ZERO,
            Map.copyOf(properties),
            List.of(further));
    try {
      settings.prepare();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int code =
          DataDirectory.format(
              settings.propertiesFile(),
              settings.data(),
              new PrintStream(out, true, StandardCharsets.UTF_8));
      if (code != 0) {
        throw new IllegalStateException(
            "The broker's data directory was not formatted: "
                + out.toString(StandardCharsets.UTF_8));
      }
      Server server =
          new KafkaRaftServer(new KafkaConfig(settings.serverProperties(), false), Time.SYSTEM);
      server.startup();
      return new EmbeddedKafka(settings, server);
    } catch (IOException e) {
      Directories.delete(settings.directory());
      throw new UncheckedIOException(
          "The broker could not be started in " + settings.directory(), e);
    } catch (RuntimeException failed) {
      Directories.delete(settings.directory());
      throw failed;
    }
  }

  /** What clients take as {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return settings.bootstrapServers();
  }

  /** As {@link KafkaBroker#createTopic(String, int, Map)}. */
  public void createTopic(String name, int partitions, Map<String, String> config) {
    Topics.create(bootstrapServers(), name, partitions, config);
  }

  /** As {@link KafkaBroker#createTopic(String, int)}. */
  public void createTopic(String name, int partitions) {
    createTopic(name, partitions, Map.of());
  }

  /** Ends the broker in good order and deletes its data. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
    Directories.delete(settings.directory());
  }
}
