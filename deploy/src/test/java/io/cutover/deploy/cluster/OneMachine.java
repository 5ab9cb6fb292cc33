package io.cutover.deploy.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster's configuration needs to run on one machine, small, and quick to notice a loss.
 */
final class OneMachine {

  private static final Map<String, String> NETWORK =
      Map.of(
          "jobmanager.rpc.address", "127.0.0.1",
          "jobmanager.bind-host", "127.0.0.1",
          "rest.address", "127.0.0.1",
          "rest.bind-address", "127.0.0.1",
          "taskmanager.host", "127.0.0.1",
          "taskmanager.bind-host", "127.0.0.1");

  /** A TaskManager that no script sizes needs every part of its memory set. */
  private static final Map<String, String> MEMORY =
      Map.ofEntries(
          Map.entry("taskmanager.cpu.cores", "1"),
          Map.entry("taskmanager.numberOfTaskSlots", "2"),
          Map.entry("taskmanager.memory.task.heap.size", "256m"),
          Map.entry("taskmanager.memory.task.off-heap.size", "64m"),
          Map.entry("taskmanager.memory.framework.heap.size", "128m"),
          Map.entry("taskmanager.memory.framework.off-heap.size", "128m"),
          Map.entry("taskmanager.memory.network.min", "64m"),
          Map.entry("taskmanager.memory.network.max", "64m"),
          Map.entry("taskmanager.memory.managed.size", "64m"),
          Map.entry("taskmanager.memory.jvm-metaspace.size", "192m"),
          Map.entry("taskmanager.memory.jvm-overhead.min", "64m"),
          Map.entry("taskmanager.memory.jvm-overhead.max", "64m"));

  private static final Map<String, String> HEARTBEAT =
      Map.of("heartbeat.interval", "500 ms", "heartbeat.timeout", "8 s");

  private OneMachine() {}

  static Map<String, String> config(Path root, int rpcPort, int restPort) {
    Map<String, String> config = new TreeMap<>(NETWORK);
    config.putAll(MEMORY);
    config.putAll(HEARTBEAT);
    config.put("jobmanager.rpc.port", Integer.toString(rpcPort));
    config.put("rest.port", Integer.toString(restPort));
    config.put("parallelism.default", "2");
    config.put("execution.checkpointing.dir", root.resolve("checkpoints").toUri().toString());
    config.put(
        "execution.checkpointing.savepoint-dir", root.resolve("savepoints").toUri().toString());
    config.put("io.tmp.dirs", root.toAbsolutePath().resolve("tmp").toString());
    config.put("security.delegation.tokens.enabled", "false");
    return config;
  }
}
