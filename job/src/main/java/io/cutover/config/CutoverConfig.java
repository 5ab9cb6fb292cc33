package io.cutover.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.cutover.Reason;
import io.cutover.UsageException;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.source.SourceOptions;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.FallbackKey;

/**
 * The configuration of a run: one YAML file, and what the command line overrides. A key that is not
 * known, and a value that is not of its type, are refused before anything is done.
 */
public final class CutoverConfig {

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final SortedMap<String, ConfigOption<?>> OPTIONS = new TreeMap<>();

  static {
    for (Class<?> holder :
        new Class<?>[] {
          BackfillOptions.class,
          PinOptions.class,
          PreflightOptions.class,
          KinesisOptions.class,
          KafkaOptions.class,
          SourceOptions.class,
          ReconcileOptions.class
        }) {
      Arrays.stream(holder.getFields())
          .filter(field -> Modifier.isStatic(field.getModifiers()))
          .filter(field -> field.getType() == ConfigOption.class)
          .forEach(CutoverConfig::declare);
    }
  }

  private CutoverConfig() {}

  private static void declare(Field field) {
    try {
      ConfigOption<?> option = (ConfigOption<?>) field.get(null);
      if (OPTIONS.put(option.key(), option) != null) {
        throw new IllegalStateException("option " + option.key() + " is declared twice");
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the options are public", e);
    }
  }

  /** Every option by its key. */
  public static SortedMap<String, ConfigOption<?>> options() {
    return Collections.unmodifiableSortedMap(OPTIONS);
  }

  /**
   * Reads the file, if any, and lays the overrides over it.
   *
   * @throws UsageException when the file cannot be read, a key is unknown or a value is not of its
   *     type
   */
  public static Configuration load(Optional<Path> file, Map<String, String> overrides) {
    Map<String, String> inFile = new TreeMap<>();
    file.ifPresent(path -> flatten("", parse(path), inFile));
    Configuration config = new Configuration();
    inFile.forEach((key, value) -> set(config, key, value));
    overrides.forEach((key, value) -> set(config, key, value));
    try {
      SourceOptions.check(config);
      PinOptions.check(config);
      PreflightOptions.check(config);
      BackfillOptions.check(config);
      ReconcileOptions.check(config);
    } catch (IllegalArgumentException e) {
      throw new UsageException(Reason.OPTION_VALUE, e.getMessage(), e);
    }
    List.of(
            PinOptions.BOUNDARY,
            ReconcileOptions.FROM,
            ReconcileOptions.TO,
            ReconcileOptions.ACCEPT_EXPIRED_BEFORE)
        .forEach(instant -> instantIfSet(config, instant));
    return config;
  }

  private static JsonNode parse(Path file) {
    try {
      JsonNode tree = YAML.readTree(Files.readString(file));
      if (tree.isMissingNode() || tree.isNull() || tree.isObject()) {
        return tree;
      }
      throw new UsageException(
          Reason.CONFIGURATION_UNREADABLE,
          "the configuration " + file + " must hold keys with values");
    } catch (JsonProcessingException e) {
      throw new UsageException(
          Reason.CONFIGURATION_UNREADABLE,
          "the configuration "
              + file
              + " is not YAML: "
              + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    } catch (NoSuchFileException e) {
      throw new UsageException(
          Reason.CONFIGURATION_UNREADABLE,
          "there is no configuration file "
              + file
              + ": give its path behind --config; conf/cutover.yaml is one to begin with",
          e);
    } catch (IOException e) {
      throw new UsageException(
          Reason.CONFIGURATION_UNREADABLE,
          "the configuration " + file + " cannot be read: " + e,
          e);
    }
  }

  private static void flatten(String prefix, JsonNode node, Map<String, String> into) {
    node.properties()
        .forEach(
            entry -> {
              String key = prefix + entry.getKey();
              JsonNode value = entry.getValue();
              if (value.isObject()) {
                flatten(key + ".", value, into);
              } else if (value.isArray()) {
                throw new UsageException(
                    Reason.OPTION_VALUE, "option " + key + " takes one value, not a list");
              } else if (!value.isNull() && into.put(key, value.asText()) != null) {
                throw new UsageException(
                    Reason.OPTION_VALUE, "option " + key + " is set twice in one file");
              }
            });
  }

  /** Under the option's own key, so that an override wins whichever of its names it uses. */
  private static void set(Configuration config, String key, String value) {
    ConfigOption<?> option =
        OPTIONS.values().stream()
            .filter(o -> o.key().equals(key) || hasFallback(o, key))
            .findFirst()
            .orElseThrow(
                () ->
                    new UsageException(
                        Reason.OPTION_UNKNOWN,
                        "unknown option "
                            + key
                            + OptionText.didYouMean(key, OPTIONS.keySet())
                            + " (conf/cutover.yaml has all there are)"));
    OptionText.set(config, option, key, value);
  }

  private static boolean hasFallback(ConfigOption<?> option, String key) {
    for (FallbackKey fallback : option.fallbackKeys()) {
      if (fallback.getKey().equals(key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The value of an option that the command cannot do without.
   *
   * @throws UsageException when it is not set
   */
  public static <T> T required(Configuration config, ConfigOption<T> option) {
    return config
        .getOptional(option)
        .orElseThrow(
            () ->
                new UsageException(
                    Reason.OPTION_MISSING,
                    "option "
                        + option.key()
                        + " is not set: set it in the configuration file or with -D "
                        + option.key()
                        + "=..."));
  }

  /**
   * An instant, if it is set.
   *
   * @throws UsageException when it is not ISO-8601 (a bare number is never guessed at), or not in
   *     whole milliseconds
   */
  public static Optional<Instant> instantIfSet(Configuration config, ConfigOption<String> option) {
    return config.getOptional(option).map(text -> instant(option, text));
  }

  private static Instant instant(ConfigOption<String> option, String text) {
    try {
      Instant instant = Instant.parse(text);
      if (!instant.equals(instant.truncatedTo(ChronoUnit.MILLIS))) {
        throw new UsageException(
            Reason.OPTION_VALUE,
            "option "
                + option.key()
                + " does not take '"
                + text
                + "': arrivals are in whole milliseconds, so give at most three decimals");
      }
      return instant;
    } catch (DateTimeParseException e) {
      throw new UsageException(
          Reason.OPTION_VALUE,
          "option "
              + option.key()
              + " does not take '"
              + text
              + "': give an ISO-8601 instant such as 2026-11-30T00:00:00Z",
          e);
    }
  }
}
