package io.cutover.deploy.cluster;

import io.cutover.local.kafka.FreePorts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A ZooKeeper server of one process, from the classes that Flink's own lib brings. */
final class ZooKeeper implements AutoCloseable {

  private static final String MAIN =
      "org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServerMain";

  /** Sessions last two ticks at least: so long does a lost JobManager stay the leader. */
  private static final String TICK_MILLIS = "1000";

  private final int port = FreePorts.pick(0);
  private final Path root;
  private final ChildJvm jvm;

  /**
   * @param root a folder that is not there yet
   */
  ZooKeeper(Path root) {
    this.root = root;
    FlinkHome home = FlinkHome.lay(root.resolve("zookeeper"), Map.of(), Optional.empty());
    jvm =
        ChildJvm.start(
            home,
            "zookeeper",
            "128m",
            List.of(
                "-Dzookeeper.admin.enableServer=false",
                MAIN,
                Integer.toString(port),
                root.resolve("data").toString(),
                TICK_MILLIS));
  }

  /** What makes a cluster highly available by this server. */
  Map<String, String> flinkConfig() {
    return Map.of(
        "high-availability.type", "zookeeper",
        "high-availability.zookeeper.quorum", "127.0.0.1:" + port,
        "high-availability.zookeeper.client.session-timeout", "3 s",
        "high-availability.cluster-id", "/orders",
        "high-availability.storageDir", root.resolve("ha").toUri().toString());
  }

  @Override
  public void close() {
    jvm.close();
  }
}
