package io.cutover.local.kafka;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The class path of the broker's JVM: of what this JVM was started with, the jars that Kafka needs.
 *
 * <p>A test's class path also holds Flink, Netty and the AWS SDK. They slow the broker's start and
 * could replace a class of its own.
 */
final class BrokerClassPath {
  private static final Pattern BROKER = Pattern.compile("kafka_2\\.1\\d-\\d.*\\.jar");

  /** File names of Kafka's closure and of its logging. */
  private static final Pattern NEEDED =
      Pattern.compile(
          ("(kafka_2\\.1\\d|kafka-(clients|server|metadata|raft|storage|tools|coordinator"
                  + "|group-coordinator|transaction-coordinator|share-coordinator)"
                  + "|scala-|slf4j-api|log4j-|jackson-|snakeyaml|zstd-jni|lz4-java|snappy-java"
                  + "|pcollections|HdrHistogram|hash4j|caffeine|jspecify|argparse4j"
                  + "|commons-(validator|beanutils|digester|logging|collections)-\\d"
                  + "|jopt-simple|jose4j|metrics-core|re2j)")
              + ".*\\.jar");

  private BrokerClassPath() {}

  /** In the form of {@code java -cp}; the whole class path when no broker jar stands on it. */
  static String ofThisJvm() {
    Set<Path> entries = new LinkedHashSet<>();
    for (String property : List.of("java.class.path", "surefire.test.class.path")) {
      for (String entry : System.getProperty(property, "").split(File.pathSeparator, -1)) {
        if (!entry.isEmpty()) {
          addWithManifest(Path.of(entry).toAbsolutePath().normalize(), entries);
        }
      }
    }
    Set<Path> selected = new LinkedHashSet<>();
    selected.add(ownCode());
    selected.addAll(select(entries));
    return selected.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  static Set<Path> select(Set<Path> entries) {
    if (entries.stream().noneMatch(entry -> BROKER.matcher(name(entry)).matches())) {
      return entries;
    }
    return entries.stream()
        .filter(entry -> NEEDED.matcher(name(entry)).matches())
        .filter(entry -> !name(entry).endsWith("-test.jar"))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Build tools pass a long class path as one jar that has nothing but a manifest. */
  private static void addWithManifest(Path entry, Set<Path> entries) {
    if (!Files.exists(entry) || !entries.add(entry) || Files.isDirectory(entry)) {
      return;
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      Manifest manifest = jar.getManifest();
      String classPath =
          manifest == null ? null : manifest.getMainAttributes().getValue("Class-Path");
      if (classPath == null || classPath.isBlank()) {
        return;
      }
      for (String element : classPath.trim().split("\\s+", -1)) {
        URI uri = entry.toUri().resolve(element);
        if ("file".equals(uri.getScheme())) {
          addWithManifest(Path.of(uri).normalize(), entries);
        }
      }
    } catch (IOException | IllegalArgumentException notReadable) {
      // A JVM passes over a class path entry that is no jar; so does its child.
    }
  }

  private static Path ownCode() {
    try {
      return Path.of(
          BrokerClassPath.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("The location of the broker's starter is no path", e);
    }
  }

  private static String name(Path entry) {
    Path name = entry.getFileName();
    return name == null ? "" : name.toString();
  }
}
