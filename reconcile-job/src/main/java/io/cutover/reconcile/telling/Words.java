package io.cutover.reconcile.telling;

import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.EvidenceCounts;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How findings, the table and the page put what a report holds. */
public final class Words {

  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

  private Words() {}

  /** What the verdict means for the flip. */
  static String meaning(VerdictReport report) {
    return switch (report.verdict()) {
      case CLEARED ->
          cleared(report)
              + (report.settings().evidence() == ReconcileOptions.Evidence.WITNESS
                  ? " The stream itself was not read: before the flip, reconcile once with"
                      + " reconcile.evidence: auto."
                  : " The readers may be flipped.");
      case PARTIAL ->
          "What was compared agrees, but not all of the copy was compared. The flip is not"
              + " cleared.";
      case MISMATCH -> "The sides differ. Do not flip the readers.";
      case INCONCLUSIVE ->
          "A side could not be read whole, or is not the pinned one. Nothing is proved: do not flip"
              + " the readers.";
    };
  }

  private static String cleared(VerdictReport report) {
    return (found(report, FindingCode.EXPIRED_ACCEPTED)
            ? "Everything but what expired and was accepted was compared, and "
            : "Everything was compared, and ")
        + (found(report, FindingCode.DIFFERENCES_TOLERATED)
            ? "what differs is within the tolerance."
            : "all of it agrees.");
  }

  private static boolean found(VerdictReport report, FindingCode code) {
    return report.findings().stream().anyMatch(finding -> finding.code() == code);
  }

  /** Why the verdict is what it is. */
  static String why(VerdictReport report) {
    if (report.verdict() == Verdict.CLEARED) {
      long kinesis = report.totals().kinesis().records();
      long kafka = report.totals().kafka().records();
      return kinesis == kafka
          ? counted(kinesis, "record", "records") + " on both sides."
          : counted(kinesis, "record", "records")
              + " in the stream, "
              + number(kafka)
              + " in the topic.";
    }
    List<Finding> reasons = report.reasons();
    int more = reasons.size() - 1;
    return reasons.get(0).text()
        + (more == 0 ? "" : " And " + counted(more, "more reason", "more reasons") + ".");
  }

  /** From when to when. */
  static String span(Scope scope) {
    return instant(scope.from()) + " to " + instant(scope.to()) + " UTC";
  }

  /** Whether that is all of the copy. */
  static String extent(Scope scope) {
    return scope.whole()
        ? "all of the copy"
        : "a part of the copy, which goes from "
            + instant(scope.start())
            + " to "
            + instant(scope.boundary());
  }

  /** Of all windows together. */
  static EvidenceCounts evidence(VerdictReport report) {
    return report.windows().stream()
        .map(VerdictReport.Window::evidence)
        .reduce(new EvidenceCounts(0, 0, 0), EvidenceCounts::plus);
  }

  static String evidence(EvidenceCounts counts) {
    return "%s read again, %s from the witness, %s not compared"
        .formatted(number(counts.reread()), number(counts.witness()), number(counts.notCompared()));
  }

  static String state(State state) {
    return switch (state) {
      case AGREES -> "agrees";
      case TOLERATED -> "tolerated";
      case NOT_COMPARED -> "not compared";
      case DIFFERS -> "differs";
    };
  }

  /** In the words of an enum's constant: lower case, with spaces. */
  static String plain(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** As the configuration spells it. */
  static String option(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** So many of them. */
  public static String counted(long count, String one, String many) {
    return number(count) + " " + (count == 1 ? one : many);
  }

  /** How much one side holds. */
  static String side(Count count) {
    return counted(count.records(), "record", "records") + ", " + bytes(count.bytes());
  }

  /** Powers of 1,000, with one decimal from kB on. */
  static String bytes(long bytes) {
    double scaled = bytes;
    int unit = 0;
    while (scaled >= 999.95 && unit < UNITS.length - 1) {
      scaled /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", scaled, UNITS[unit]);
  }

  /** For an axis: no more than 6 characters. */
  static String brief(long number) {
    return number < 10_000
        ? number(number)
        : bytes(number).replace(" ", "").replace("B", "").replace(".0", "");
  }

  /** To the second; below a minute to the tenth of one. */
  static String duration(Duration duration) {
    if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
      return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
    StringBuilder text = new StringBuilder();
    part(text, duration.toDays(), "d");
    part(text, duration.toHoursPart(), "h");
    part(text, duration.toMinutesPart(), "min");
    part(text, duration.toSecondsPart(), "s");
    return text.toString();
  }

  private static void part(StringBuilder text, long count, String unit) {
    if (count != 0) {
      text.append(text.isEmpty() ? "" : " ").append(count).append(' ').append(unit);
    }
  }

  /** UTC, as long as it must be: without seconds where there are none. */
  static String instant(Instant instant) {
    return instant
        .toString()
        .replace("T", " ")
        .replaceFirst("(:\\d\\d):00Z$", "$1Z")
        .replace("Z", "");
  }

  /**
   * The text with every character spelled out that would move the cursor, end a line, or reorder
   * what stands around it.
   */
  static String visible(String text) {
    StringBuilder visible = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              int type = Character.getType(c);
              boolean hidden =
                  type == Character.CONTROL
                      || type == Character.FORMAT
                      || type == Character.LINE_SEPARATOR
                      || type == Character.PARAGRAPH_SEPARATOR
                      || type == Character.SURROGATE
                      || (c & 0xFFFE) == 0xFFFE;
              if (c == '\n' || c == '\r' || c == '\t') {
                visible.append(' ');
              } else if (hidden) {
                visible.append(String.format(Locale.ROOT, "\\u%04X", c));
              } else {
                visible.appendCodePoint(c);
              }
            });
    return visible.toString();
  }
}
