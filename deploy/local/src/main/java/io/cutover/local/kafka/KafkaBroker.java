package io.cutover.local.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A real Kafka broker (KRaft, one node that is broker and controller) in a JVM of its own, so that
 * it can be killed as a machine can.
 *
 * <p>It listens on 127.0.0.1 only, without security. Its log stands in {@code broker.log} of its
 * directory. It never outlives the process that started it. Not for use by several threads at once.
 */
public final class KafkaBroker implements AutoCloseable {
  private final BrokerSettings settings;
  private final Thread atExit = new Thread(this::dispose, "kafka-broker-exit");
  private volatile BrokerProcess process;

  private KafkaBroker(BrokerSettings settings) {
    this.settings = settings;
  }

  /** A broker with the defaults of {@link #builder()}, ready for requests. */
  public static KafkaBroker start() {
    return builder().start();
  }

  /** A free port, a temporary directory that is deleted at close, 1 GiB of heap. */
  public static Builder builder() {
    return new Builder();
  }

  /** What clients take as {@code bootstrap.servers}; the same for as long as this object lives. */
  public String bootstrapServers() {
    return settings.bootstrapServers();
  }

  /** The directory of the broker's data, properties and log. */
  public Path directory() {
    return settings.directory();
  }

  /** The process id of the running broker, for a test that wants to treat it badly. */
  public long pid() {
    return process.pid();
  }

  /** Whether the broker's process runs. */
  public boolean isRunning() {
    return process.isAlive();
  }

  /** Ends the broker in good order (SIGTERM), by force after 30 s. Its data stays. */
  public void stop() {
    process.stop();
  }

  /** Ends the broker at once (SIGKILL), as a lost machine would. Its data stays. */
  public void kill() {
    process.kill();
  }

  /**
   * Starts the broker again on the same port and the same data; stops it first when it runs.
   * Returns when it answers: after a kill that takes until the controller has forgotten the dead
   * one, some 6 s.
   */
  public void restart() {
    stop();
    boot();
  }

  /**
   * Creates a topic and returns when every partition has a leader that answers. One that produces
   * earlier can be told that the leader is none, and then see its sequence refused.
   *
   * @param config topic settings, for instance {@code retention.ms}
   * @throws IllegalStateException when the broker refuses, or not all partitions answer in 60 s
   */
  public void createTopic(String name, int partitions, Map<String, String> config) {
    Topics.create(bootstrapServers(), name, partitions, config);
  }

  /** As {@link #createTopic(String, int, Map)}, with the broker's defaults. */
  public void createTopic(String name, int partitions) {
    createTopic(name, partitions, Map.of());
  }

  /** Ends the broker at once, and deletes its directory unless the caller named one. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException exiting) {
      // The hook runs already; to dispose twice does no harm.
    }
    dispose();
  }

  /** The process is known before it is waited for: the hook must find it at any moment. */
  private void boot() {
    process = BrokerProcess.start(settings);
    process.awaitReady();
  }

  private synchronized void dispose() {
    if (process != null) {
      process.kill();
    }
    if (settings.temporary()) {
      Directories.delete(settings.directory());
    }
  }

  /** What can be chosen about a broker. */
  public static final class Builder {
    private int port;
    private Path directory;
    private String heap = "1g";
    private boolean longLived;
    private Duration startTimeout = Duration.ofMinutes(3);
    private final Map<String, String> properties = new LinkedHashMap<>();

    private Builder() {}

    /** The port of the clients' listener; a free one when 0 or not called. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** Where data and log go. A directory that is named here is kept at close. */
    public Builder directory(Path directory) {
      this.directory = directory;
      return this;
    }

    /** A broker property, over the default of this class. */
    public Builder property(String key, String value) {
      properties.put(key, value);
      return this;
    }

    /** Broker properties, over the defaults of this class. */
    public Builder properties(Map<String, String> more) {
      properties.putAll(more);
      return this;
    }

    /** The most heap the broker takes, in the form of {@code -Xmx}: {@code 512m}. */
    public Builder heap(String heap) {
      this.heap = heap;
      return this;
    }

    /**
     * Lets the JVM compile all it can, for a broker whose throughput counts. Without, it starts
     * with half the processor time, as a test wants.
     */
    public Builder longLived() {
      longLived = true;
      return this;
    }

    /** How long a start may take before it counts as failed. */
    public Builder startTimeout(Duration startTimeout) {
      this.startTimeout = startTimeout;
      return this;
    }

    /**
     * Starts the broker and returns when it answers.
     *
     * @throws IllegalStateException when it does not; the message holds the end of its log
     */
    public KafkaBroker start() {
      if (port != 0 && !FreePorts.bindable(port)) {
        throw new IllegalStateException(
            "Port %d of 127.0.0.1 is taken; name another for the broker, or none for a free one"
                .formatted(port));
      }
      int clients = port == 0 ? FreePorts.pick(0) : port;
      boolean temporary = directory == null;
      BrokerSettings settings =
          new BrokerSettings(
              clients,
              FreePorts.pick(clients),
              temporary ? Directories.temporary() : directory.toAbsolutePath(),
              temporary,
              heap,
              longLived,
              startTimeout,
              Map.copyOf(properties),
              List.of());
      KafkaBroker broker = new KafkaBroker(settings);
      Runtime.getRuntime().addShutdownHook(broker.atExit);
      try {
        broker.boot();
        return broker;
      } catch (RuntimeException failed) {
        broker.close();
        throw failed;
      }
    }
  }
}
