package io.cutover.reconcile.telling;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Text in lines for a terminal, none of which is longer than its width in code points. */
final class Lines {

  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final int width;
  private final StringBuilder text = new StringBuilder();

  Lines(int width) {
    this.width = width;
  }

  /** An empty line. */
  Lines gap() {
    text.append('\n');
    return this;
  }

  /** A line as it is, however long. */
  Lines whole(String line) {
    text.append(line).append('\n');
    return this;
  }

  /**
   * A label, and behind it, in as many lines as it takes, the content.
   *
   * @param label padded to where the content stands in every line
   */
  Lines row(String label, String content) {
    int indent = label.length();
    List<String> lines = wrapped(Words.visible(content), width - indent);
    for (int i = 0; i < lines.size(); i++) {
      text.append((i == 0 ? label : " ".repeat(indent)).concat(lines.get(i)).stripTrailing())
          .append('\n');
    }
    return this;
  }

  /** The words in lines; one that is longer than a line is broken. */
  static List<String> wrapped(String content, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String whole : SPACES.split(content.strip(), -1)) {
      String word = whole;
      if (!line.isEmpty() && length(line) + 1 + length(word) > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (length(word) > width) {
        int end = word.offsetByCodePoints(0, width);
        lines.add(word.substring(0, end));
        word = word.substring(end);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static int length(CharSequence text) {
    return Character.codePointCount(text, 0, text.length());
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
