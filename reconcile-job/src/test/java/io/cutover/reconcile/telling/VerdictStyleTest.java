package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contrast as WCAG 2.2 AA asks for it: 4.5 for text, 3 for what only has to be seen. */
class VerdictStyleTest {

  private static final Pattern COLOUR = Pattern.compile("--([a-z-]+): #([0-9a-f]{6})");

  /** The colours in the order of the file: light, then what dark has otherwise. */
  private static Map<String, Integer> colours(boolean dark) throws IOException {
    String css;
    try (InputStream in = VerdictHtml.class.getResourceAsStream("verdict.css")) {
      css = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    int darkAt = css.indexOf("prefers-color-scheme: dark");
    int end = dark ? css.indexOf("* {") : darkAt;
    Map<String, Integer> colours = new HashMap<>();
    COLOUR
        .matcher(css.substring(0, end))
        .results()
        .forEach(match -> colours.put(match.group(1), Integer.parseInt(match.group(2), 16)));
    return colours;
  }

  private static double luminance(int colour) {
    return 0.2126 * channel(colour >> 16)
        + 0.7152 * channel(colour >> 8)
        + 0.0722 * channel(colour);
  }

  private static double channel(int value) {
    double part = (value & 255) / 255.0;
    return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
  }

  private static double contrast(Map<String, Integer> colours, String one, String other) {
    double a = luminance(colours.get(one));
    double b = luminance(colours.get(other));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void textStandsOut(boolean dark) throws IOException {
    Map<String, Integer> colours = colours(dark);
    for (String back : new String[] {"back", "box"}) {
      for (String text : new String[] {"text", "quiet"}) {
        assertThat(contrast(colours, text, back)).as(text + " on " + back).isGreaterThan(4.5);
      }
    }
    assertThat(contrast(colours, "kinesis", "back")).as("a summary").isGreaterThan(4.5);
    for (String verdict : new String[] {"cleared", "mismatch", "partial", "inconclusive"}) {
      assertThat(contrast(colours, "on-banner", verdict + "-banner"))
          .as(verdict)
          .isGreaterThan(4.5);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void barsAndMarksStandOut(boolean dark) throws IOException {
    Map<String, Integer> colours = colours(dark);
    for (String shape : new String[] {"kinesis", "kafka", "differs", "not-compared", "tolerated"}) {
      assertThat(contrast(colours, shape, "back")).as(shape).isGreaterThan(3);
    }
    for (String bar : new String[] {"kinesis", "kafka"}) {
      assertThat(contrast(colours, bar, "differs-band")).as(bar + " on band").isGreaterThan(3);
    }
  }
}
