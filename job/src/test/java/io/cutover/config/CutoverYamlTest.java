package io.cutover.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** conf/cutover.yaml is the reference of the options: all of them, none else, as they are. */
class CutoverYamlTest {

  private static final Path FILE = Path.of("..", "conf", "cutover.yaml");

  /** {@code key: value}, or {@code # key: value}; prose has no dotted word before a colon. */
  private static final Pattern LINE = Pattern.compile("(# )?([a-z0-9-]+(?:\\.[a-z0-9-]+)+):(.*)");

  private record Entry(boolean active, String key, String value, boolean commented) {}

  private static List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    boolean commented = false;
    for (String line : Files.readAllLines(FILE)) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        entries.add(
            new Entry(
                matcher.group(1) == null, matcher.group(2), matcher.group(3).strip(), commented));
      } else {
        commented = line.startsWith("# ");
      }
    }
    return entries;
  }

  @Test
  void holdsEveryOptionOnceAndNothingElse() throws IOException {
    assertThat(entries())
        .extracting(Entry::key)
        .containsExactlyInAnyOrderElementsOf(CutoverConfig.options().keySet());
  }

  @Test
  void optionWithADefaultIsActiveAndOneWithoutIsCommentedOut() throws IOException {
    for (Entry entry : entries()) {
      assertThat(entry.active())
          .as(entry.key())
          .isEqualTo(CutoverConfig.options().get(entry.key()).hasDefaultValue());
    }
  }

  @Test
  void activeLinesAreTheDefaults() throws IOException {
    Configuration file = CutoverConfig.load(Optional.of(FILE), Map.of());
    for (ConfigOption<?> option : CutoverConfig.options().values()) {
      if (option.hasDefaultValue()) {
        assertThat(file.getOptional(option).map(Object.class::cast))
            .as(option.key())
            .contains(option.defaultValue());
      }
    }
  }

  @Test
  void commentedOutLinesShowAValueThatWouldBeTaken() throws IOException {
    Map<String, String> examples = new HashMap<>();
    for (Entry entry : entries()) {
      assertThat(entry.value()).as(entry.key()).isNotEmpty();
      if (!entry.active()) {
        examples.put(entry.key(), entry.value());
      }
    }
    assertThat(CutoverConfig.load(Optional.empty(), examples).toMap()).hasSameSizeAs(examples);
  }

  @Test
  void everyOptionHasACommentAboveIt() throws IOException {
    assertThat(entries()).allMatch(Entry::commented);
  }
}
