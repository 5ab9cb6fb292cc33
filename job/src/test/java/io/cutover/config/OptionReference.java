package io.cutover.config;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.description.HtmlFormatter;

/** conf/README.md, made from the options. */
final class OptionReference {

  private static final String HEAD =
      """
      # Configuration

      | file | what it is |
      |---|---|
      | [cutover.yaml](cutover.yaml) | every option below with its default and a comment; copy it and fill it in (`--config FILE`) |
      | [kafka-client.properties](kafka-client.properties) | Kafka client properties: durability, batching, security; named by `kafka.client.properties` |
      | [flink-config.yaml](flink-config.yaml) | what the backfill asks of the Flink cluster; merge it into the cluster's `config.yaml` |
      | [log4j2.properties](log4j2.properties) | logging for a cluster's containers, as text or as JSON lines |

      Options stand in the YAML file, flat (`kafka.topic: orders`) or nested; `-D key=value` on the command
      line overrides the file. An unknown key is refused, with the nearest right one. A duration or a memory
      size needs a unit (`30 s`, `12 h`, `64 mb`); only 0 goes without. An instant is ISO-8601 with a zone,
      in whole milliseconds.

      ## Options

      | key | type | default | description |
      |---|---|---|---|
      """;

  private static final Map<Class<?>, String> TYPES =
      Map.of(
          String.class, "text",
          Integer.class, "whole number",
          Double.class, "number",
          Boolean.class, "true or false",
          Duration.class, "duration",
          MemorySize.class, "memory size");

  private OptionReference() {}

  /**
   * @param defaults the values in cutover.yaml, as they are written there
   */
  static String markdown(JsonNode defaults) {
    return HEAD
        + CutoverConfig.options().values().stream()
            .map(option -> row(option, defaults.path(option.key()).asText()))
            .collect(joining());
  }

  private static String row(ConfigOption<?> option, String defaultValue) {
    return "| `"
        + option.key()
        + "` | "
        + type(option)
        + " | "
        + (option.hasDefaultValue() ? "`" + defaultValue + "`" : "none")
        + " | "
        + new HtmlFormatter().format(option.description()).replace("|", "\\|")
        + otherNames(option)
        + " |\n";
  }

  private static String type(ConfigOption<?> option) {
    Object value = option.defaultValue() == null ? madeOfOne(option) : option.defaultValue();
    if (value instanceof Enum<?> choice) {
      return Arrays.stream(choice.getDeclaringClass().getEnumConstants())
          .map(Object::toString)
          .collect(joining(", "));
    }
    return Optional.ofNullable(TYPES.get(value.getClass()))
        .orElseThrow(() -> new IllegalStateException("how is a " + value.getClass() + " called?"));
  }

  /** An option does not tell its type; what it makes of a value does. */
  private static Object madeOfOne(ConfigOption<?> option) {
    Configuration config = new Configuration();
    config.setString(option.key(), "1");
    return config.get(option);
  }

  private static String otherNames(ConfigOption<?> option) {
    return StreamSupport.stream(option.fallbackKeys().spliterator(), false)
        .map(FallbackKey::getKey)
        .map(key -> " Also `" + key + "`.")
        .collect(joining());
  }
}
