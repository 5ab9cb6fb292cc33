package io.cutover.local.kafka;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Everything a broker is started with; a restart uses the same. */
record BrokerSettings(
    int port,
    int controllerPort,
    Path directory,
    boolean temporary,
    String heap,
    boolean longLived,
    Duration startTimeout,
    Map<String, String> overrides,
    List<Listener> further) {

  String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  Path data() {
    return directory.resolve("data");
  }

  Path log() {
    return directory.resolve("broker.log");
  }

  Path temporaryFiles() {
    return directory.resolve("tmp");
  }

  Path propertiesFile() {
    return directory.resolve("server.properties");
  }

  /** Makes the directories and writes the properties file. */
  void prepare() throws IOException {
    Files.createDirectories(temporaryFiles());
    try (BufferedWriter out = Files.newBufferedWriter(propertiesFile())) {
      serverProperties().store(out, null);
    }
  }

  Properties serverProperties() {
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    p.put("controller.listener.names", "CONTROLLER");
    Listener plain = new Listener("PLAINTEXT", "PLAINTEXT", port);
    Listener controller = new Listener("CONTROLLER", "PLAINTEXT", controllerPort);
    p.put("advertised.listeners", joined(Listener::url, List.of(plain), further));
    p.put("listeners", joined(Listener::url, List.of(plain, controller), further));
    p.put(
        "listener.security.protocol.map",
        joined(Listener::mapping, List.of(plain, controller), further));
    p.put("log.dirs", data().toString());

    // A misspelt topic must fail, not appear.
    p.put("auto.create.topics.enable", "false");

    // One node, and few partitions to recover after a kill.
    p.put("default.replication.factor", "1");
    p.put("min.insync.replicas", "1");
    p.put("offsets.topic.num.partitions", "1");
    p.put("offsets.topic.replication.factor", "1");
    p.put("transaction.state.log.num.partitions", "4");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.min.isr", "1");
    p.put("share.coordinator.state.topic.num.partitions", "1");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("group.initial.rebalance.delay.ms", "0");

    // After a kill the restarted broker waits for the end of its own old session. A shorter one
    // ends while a busy machine still starts the broker.
    p.put("broker.session.timeout.ms", "6000");
    p.put("broker.heartbeat.interval.ms", "500");

    // Taken from the heap at once, and 128 MiB by default.
    p.put("log.cleaner.dedupe.buffer.size", "8388608");
    p.putAll(overrides);
    return p;
  }

  private static String joined(
      Function<Listener, String> part, List<Listener> own, List<Listener> further) {
    return Stream.concat(own.stream(), further.stream()).map(part).collect(Collectors.joining(","));
  }
}
