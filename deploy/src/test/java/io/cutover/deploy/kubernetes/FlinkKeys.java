package io.cutover.deploy.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.util.TimeUtils;

/** Which keys of a Flink configuration there are, and whether they take a value. */
final class FlinkKeys {

  private static final String PACKAGE = "org/apache/flink/configuration/";

  /** Of the operator's that may stand in a resource: the part "dynamic" of its reference, 1.15. */
  private static final Set<String> OPERATOR_SWITCHES =
      Set.of(
          "kubernetes.operator.cluster.health-check.enabled",
          "kubernetes.operator.deployment.rollback.enabled",
          "kubernetes.operator.jm-deployment-recovery.enabled",
          "kubernetes.operator.job.drain-on-savepoint-deletion",
          "kubernetes.operator.job.restart.failed",
          "kubernetes.operator.job.savepoint-on-deletion",
          "kubernetes.operator.job.upgrade.ignore-pending-savepoint",
          "kubernetes.operator.job.upgrade.last-state-fallback.enabled",
          "kubernetes.operator.job.upgrade.last-state.job-cancel.enabled",
          "kubernetes.operator.snapshot.resource.enabled");

  private static final Set<String> OPERATOR_DURATIONS =
      Set.of(
          "kubernetes.operator.deployment.readiness.timeout",
          "kubernetes.operator.jm-deployment.shutdown-ttl",
          "kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age");

  /** Of plugins, which Flink passes on unread. */
  private static final Set<String> PLUGINS =
      Set.of(
          "s3.aws.credentials.provider",
          "metrics.reporter.prometheus.factory.class",
          "metrics.reporter.prometheus.filterLabelValueCharacters",
          "metrics.reporter.prometheus.port");

  private static final Map<String, ConfigOption<?>> OPTIONS = options();

  private FlinkKeys() {}

  private static Map<String, ConfigOption<?>> options() {
    Map<String, ConfigOption<?>> options = new TreeMap<>();
    try {
      Path core =
          Path.of(
              CheckpointingOptions.class
                  .getProtectionDomain()
                  .getCodeSource()
                  .getLocation()
                  .toURI());
      try (JarFile jar = new JarFile(core.toFile())) {
        List<String> classes =
            jar.stream()
                .map(entry -> entry.getName())
                .filter(name -> name.startsWith(PACKAGE) && name.endsWith("Options.class"))
                .map(name -> name.replace('/', '.').replaceFirst("\\.class$", ""))
                .toList();
        for (String name : classes) {
          for (Field field : Class.forName(name).getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
              ConfigOption<?> option = (ConfigOption<?>) field.get(null);
              options.put(option.key(), option);
            }
          }
        }
      }
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException | ReflectiveOperationException e) {
      throw new IllegalStateException("the options of Flink cannot be listed", e);
    }
  }

  /** What is wrong with the entry, if anything is. */
  static Optional<String> fault(String key, String value) {
    ConfigOption<?> option = OPTIONS.get(key);
    try {
      if (option != null) {
        Configuration configuration = new Configuration();
        configuration.setString(key, value);
        configuration.get(option);
      } else if (OPERATOR_SWITCHES.contains(key)) {
        return value.matches("true|false")
            ? Optional.empty()
            : Optional.of(key + ": neither true nor false, but " + value);
      } else if (OPERATOR_DURATIONS.contains(key)) {
        TimeUtils.parseDuration(value);
      } else if (!PLUGINS.contains(key)) {
        return Optional.of(key + ": no such key");
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(key + ": " + e.getMessage());
    }
  }
}
