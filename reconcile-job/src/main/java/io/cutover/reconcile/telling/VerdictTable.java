package io.cutover.reconcile.telling;

import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.Totals;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.util.List;
import java.util.Locale;

/**
 * A verdict in short, for a terminal of 80 columns. Whatever its texts hold, it breaks no line and
 * moves no cursor; only the page's address stands whole in its line, so that it can be pasted.
 */
public final class VerdictTable {

  static final int WIDTH = 80;

  /** So many samples of each finding are shown. */
  static final int SAMPLES = 3;

  /** So many windows are shown. */
  static final int WORST = 10;

  private static final String NUMBERS = "  %-16s %13s %13s %9s %9s  ";

  private final VerdictReport report;
  private final Lines lines = new Lines(WIDTH);

  private VerdictTable(VerdictReport report) {
    this.report = report;
  }

  /**
   * The table, its last line ended.
   *
   * @param page the address of {@code verdict.html}
   */
  public static String of(VerdictReport report, String page) {
    VerdictTable table = new VerdictTable(report);
    table.verdict();
    table.compared();
    table.findings();
    table.worst();
    table.lines.gap().whole("Page: " + page);
    return table.lines.toString();
  }

  private void verdict() {
    lines
        .row("", report.verdict() + ": " + Words.meaning(report))
        .row("  ", Words.why(report))
        .gap();
  }

  private void compared() {
    Scope scope = report.scope();
    row("stream", scope.stream());
    row("topic", scope.topic());
    row("span", Words.span(scope) + ", " + Words.extent(scope));
    if (!report.compared()) {
      row("", "It did not come to a comparison.");
      return;
    }
    row(
        "evidence",
        Words.option(report.settings().evidence())
            + "; windows of shards: "
            + Words.evidence(Words.evidence(report)));
    Totals totals = report.totals();
    row("Kinesis", Words.side(totals.kinesis()));
    row("Kafka", Words.side(totals.kafka()));
    others(totals);
  }

  private void others(Totals totals) {
    if (totals.kafkaOutside() > 0) {
      row("", Words.counted(totals.kafkaOutside(), "record", "records") + " outside of the span");
    }
    long foreign = totals.foreignInside() + totals.foreignOutside();
    if (foreign > 0) {
      row(
          "",
          "%s not of this copy, %s of them within the span"
              .formatted(
                  Words.counted(foreign, "record", "records"),
                  Words.number(totals.foreignInside())));
    }
  }

  private void row(String label, String content) {
    lines.row(String.format(Locale.ROOT, "  %-10s ", label), content);
  }

  private void findings() {
    lines.gap();
    if (report.findings().isEmpty()) {
      lines.row("", "No findings.");
      return;
    }
    lines.row("", "Findings");
    for (Finding finding : report.findings()) {
      lines.row(
          "  ",
          finding.code()
              + ": "
              + Words.number(finding.count())
              + finding.forces().map(verdict -> ", forces " + verdict).orElse(""));
      lines.row("    ", finding.text());
      finding.samples().stream().limit(SAMPLES).forEach(sample -> lines.row("      ", sample));
    }
  }

  private void worst() {
    List<Window> worst = WorstFirst.of(report.windows());
    if (worst.isEmpty()) {
      return;
    }
    lines.gap();
    lines.whole(
        String.format(Locale.ROOT, NUMBERS, "Window, UTC", "Kinesis", "Kafka", "missing", "extra")
            .stripTrailing());
    worst.stream().limit(WORST).forEach(this::window);
    int more = worst.size() - WORST;
    if (more > 0) {
      lines.row("  ", "and " + Words.counted(more, "more window", "more windows"));
    }
  }

  private void window(Window window) {
    String label =
        String.format(
            Locale.ROOT,
            NUMBERS,
            Words.instant(window.start()),
            Words.number(window.kinesis().records()),
            Words.number(window.kafka().records()),
            Words.number(window.missing()),
            Words.number(window.extra()));
    // Numbers that are wider than any copy's push the row over the edge: then they are a text.
    if (label.length() + Words.state(window.state()).length() > WIDTH) {
      lines.row("  ", label + Words.state(window.state()));
    } else {
      lines.row(label, Words.state(window.state()));
    }
  }
}
