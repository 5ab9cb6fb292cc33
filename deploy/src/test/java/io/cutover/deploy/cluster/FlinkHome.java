package io.cutover.deploy.cluster;

import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.GlobalConfiguration;

/**
 * The folder of one Flink installation, as its distribution lays it out: conf, lib, usrlib, log.
 * Its configuration is the one that this project ships, and over it what one machine needs.
 *
 * @param plugins where file systems and reporters lie that are loaded apart, if there are any
 */
record FlinkHome(Path root, Optional<Path> plugins) {

  /** What this JVM may have in its environment and a cluster of its own must not see. */
  static final Set<String> INHERITED =
      Set.of("FLINK_HOME", "FLINK_PROPERTIES", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

  /** Writes the configuration: the shipped one, with these entries over it. */
  static FlinkHome lay(Path root, Map<String, String> overrides, Optional<Path> plugins) {
    FlinkHome home = new FlinkHome(root.toAbsolutePath(), plugins);
    try {
      for (String folder : new String[] {"conf", "log", "tmp", "usrlib", "plugins"}) {
        Files.createDirectories(home.root().resolve(folder));
      }
      Path config = home.conf().resolve("config.yaml");
      Files.copy(Checkout.ROOT.resolve("conf/flink-config.yaml"), config);
      Configuration merged = GlobalConfiguration.loadConfiguration(home.conf().toString());
      overrides.forEach(merged::setString);
      Files.write(config, ConfigurationUtils.convertConfigToWritableLines(merged, false));
      Files.copy(
          Checkout.ROOT.resolve("deploy/local/flink/conf/log4j2.properties"),
          home.conf().resolve("log4j2.properties"));
      // Flink finds usrlib beside the lib that its environment names.
      Files.createSymbolicLink(home.lib(), gathered());
    } catch (IOException e) {
      throw new UncheckedIOException("Flink's folder " + root + " could not be laid out", e);
    }
    return home;
  }

  /** The jars of a Flink distribution's lib. */
  private static Path gathered() {
    Path lib = Checkout.ROOT.resolve("deploy/local/flink/target/lib");
    if (!Files.isDirectory(lib)) {
      throw new IllegalStateException(
          lib + " is not there: build the module deploy/local/flink before these tests.");
    }
    return lib;
  }

  Path conf() {
    return root.resolve("conf");
  }

  Path lib() {
    return root.resolve("lib");
  }

  private Path usrlib() {
    return root.resolve("usrlib");
  }

  void addToUsrlib(Path jar) {
    try {
      Files.createSymbolicLink(usrlib().resolve(jar.getFileName()), jar);
    } catch (IOException e) {
      throw new UncheckedIOException(jar + " is not in usrlib", e);
    }
  }

  Path tmp() {
    return root.resolve("tmp");
  }

  Path log(String file) {
    return root.resolve("log").resolve(file);
  }

  Map<String, String> environment() {
    return Map.of(
        "FLINK_CONF_DIR", conf().toString(),
        "FLINK_LIB_DIR", lib().toString(),
        "FLINK_PLUGINS_DIR", plugins.orElse(root.resolve("plugins")).toString(),
        "AWS_EC2_METADATA_DISABLED", "true");
  }
}
