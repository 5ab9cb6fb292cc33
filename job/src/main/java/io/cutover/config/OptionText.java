package io.cutover.config;

import static java.util.stream.Collectors.joining;

import io.cutover.Reason;
import io.cutover.UsageException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/** Takes an option's value from what a person wrote, and says what is wrong with it. */
final class OptionText {

  /**
   * Below it, what is nearest is not near: the beginning counts most, as a key's first words do.
   */
  private static final double NEAR = 0.9;

  private OptionText() {}

  /**
   * Sets the option, under its own key.
   *
   * @param key the name that it was called by
   * @throws UsageException when the text is not of its type, or has no unit
   */
  static void set(Configuration config, ConfigOption<?> option, String key, String text) {
    config.setString(option.key(), text);
    Object value;
    try {
      value = config.get(option);
    } catch (IllegalArgumentException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw wrong(key, text, choices(option, text).orElse(why.getMessage()), e);
    }
    if (text.strip().matches("[0-9]*[1-9][0-9]*")) {
      if (value instanceof Duration) {
        throw wrong(key, text, "say of what: " + text.strip() + " s or " + text.strip() + " ms");
      }
      if (value instanceof MemorySize) {
        throw wrong(key, text, "say of what: " + text.strip() + " b or " + text.strip() + " mb");
      }
    }
  }

  private static UsageException wrong(String key, String text, String why, Throwable... cause) {
    String message = "option " + key + " does not take '" + text + "': " + why;
    return cause.length == 0
        ? new UsageException(Reason.OPTION_VALUE, message)
        : new UsageException(Reason.OPTION_VALUE, message, cause[0]);
  }

  /** What an option of a fixed choice takes. */
  private static Optional<String> choices(ConfigOption<?> option, String text) {
    if (!(option.defaultValue() instanceof Enum<?> choice)) {
      return Optional.empty();
    }
    List<String> all =
        Arrays.stream(choice.getDeclaringClass().getEnumConstants()).map(Object::toString).toList();
    return Optional.of(
        "it is one of " + all.stream().collect(joining(", ")) + didYouMean(text, all));
  }

  /** The question behind a message; nothing when none of the known is near. */
  static String didYouMean(String written, Collection<String> known) {
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    String lower = written.toLowerCase(Locale.ROOT);
    Comparator<String> byNearness =
        Comparator.comparingDouble(
            candidate -> similarity.apply(lower, candidate.toLowerCase(Locale.ROOT)));
    return known.stream()
        .max(byNearness)
        .filter(best -> similarity.apply(lower, best.toLowerCase(Locale.ROOT)) >= NEAR)
        .map(best -> ", did you mean " + best + "?")
        .orElse("");
  }
}
