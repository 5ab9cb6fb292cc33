package io.cutover.preflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The checks as a table for a terminal of 100 columns; what mends a check stands below it. */
final class PreflightTable {

  private static final int WIDTH = 100;
  private static final int VERDICT = 7;
  private static final int NAME = 26;
  private static final int FOUND = 31;
  private static final String GAP = "  ";
  private static final int WANTED = WIDTH - VERDICT - NAME - FOUND - 3 * GAP.length();
  private static final String INDENT = " ".repeat(VERDICT) + GAP;

  private PreflightTable() {}

  static String of(List<Check> checks) {
    StringBuilder table = new StringBuilder();
    row(table, "verdict", "check", "found", "wanted");
    for (Check check : checks) {
      boolean passed = check.verdict() == Verdict.PASS;
      String verdict = check.verdict().name();
      row(
          table,
          passed ? verdict.toLowerCase(Locale.ROOT) : verdict,
          check.name().toString(),
          check.found(),
          check.wanted());
      check.remedy().ifPresent(remedy -> below(table, "mend: ", remedy.text(), remedy.command()));
      check.note().ifPresent(note -> below(table, "note: ", note, false));
    }
    return table.toString();
  }

  private static void row(
      StringBuilder table, String verdict, String name, String found, String wanted) {
    List<String> left = wrapped(found, FOUND, true);
    List<String> right = wrapped(wanted, WANTED, true);
    for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
      String line =
          padded(i == 0 ? verdict : "", VERDICT)
              + GAP
              + padded(i == 0 ? name : "", NAME)
              + GAP
              + padded(i < left.size() ? left.get(i) : "", FOUND)
              + GAP
              + (i < right.size() ? right.get(i) : "");
      table.append(line.stripTrailing()).append('\n');
    }
  }

  private static void below(StringBuilder table, String label, String text, boolean command) {
    // A command keeps being one when its lines are pasted.
    String continued = command ? " \\" : "";
    int width = WIDTH - INDENT.length() - label.length() - continued.length();
    List<String> lines = wrapped(text, width, false);
    for (int i = 0; i < lines.size(); i++) {
      table
          .append(INDENT)
          .append(i == 0 ? label : " ".repeat(label.length()))
          .append(lines.get(i))
          .append(i < lines.size() - 1 ? continued : "")
          .append('\n');
    }
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /**
   * The text in lines.
   *
   * @param hard whether a word longer than a line is broken: what is meant to be pasted is not
   */
  static List<String> wrapped(String text, int width, boolean hard) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String whole : text.strip().split("\\s+")) {
      String word = whole;
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (hard && word.length() > width) {
        lines.add(word.substring(0, width));
        word = word.substring(width);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
