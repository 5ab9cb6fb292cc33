package io.cutover.reconcile.telling;

import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Run;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.Settings;
import io.cutover.reconcile.verdict.VerdictReport.Timings;
import io.cutover.reconcile.verdict.VerdictReport.Totals;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A verdict as one page that needs nothing else: no script, no other file. It fits a phone and a
 * desk, light and dark, and paper.
 */
final class VerdictHtml {

  /** Read once: the page may be written when the jar is closed already. */
  private static final String CSS = css();

  /** A row of a list of names and values. */
  private record Fact(String name, Html value) {
    static Fact of(String name, String value) {
      return new Fact(name, Html.tag("bdi").of(value));
    }
  }

  private final VerdictReport report;

  private VerdictHtml(VerdictReport report) {
    this.report = report;
  }

  static String page(VerdictReport report) {
    return Html.document(new VerdictHtml(report).html());
  }

  private Html html() {
    return Html.tag("html").with("lang", "en").of(head(), Html.tag("body").of(banner(), body()));
  }

  private Html head() {
    return Html.tag("head")
        .of(
            Html.tag("meta").with("charset", "utf-8").alone(),
            Html.tag("meta")
                .with("name", "viewport")
                .with("content", "width=device-width, initial-scale=1")
                .alone(),
            Html.tag("meta").with("name", "color-scheme").with("content", "light dark").alone(),
            Html.tag("title").of(report.verdict() + ": " + report.scope().topic()),
            Html.style(CSS));
  }

  private static String css() {
    try (InputStream css = VerdictHtml.class.getResourceAsStream("verdict.css")) {
      if (css == null) {
        throw new IllegalStateException("the jar lacks verdict.css");
      }
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Html banner() {
    return Html.tag("header")
        .with("class", "banner " + Words.option(report.verdict()))
        .of(
            Html.tag("p")
                .with("class", "kicker")
                .of(
                    Html.text("Reconciliation of "),
                    Html.tag("bdi").of(report.scope().topic()),
                    Html.text(
                        ", "
                            + Words.instant(
                                report.run().finishedAt().truncatedTo(ChronoUnit.SECONDS))
                            + " UTC")),
            Html.tag("h1").of(report.verdict().name()),
            Html.tag("p").with("class", "meaning").of(Words.meaning(report)),
            Html.tag("p").with("class", "why").of(Html.tag("bdi").of(Words.why(report))),
            Html.tag("p").with("class", "exit").of("Exit code " + report.verdict().exitCode()));
  }

  private Html body() {
    VerdictSections sections = new VerdictSections(report);
    return Html.tag("main")
        .of(
            section(
                report.compared() ? "What was compared" : "What was to be compared",
                facts(compared())),
            section("Both sides over time", VerdictChart.of(report)),
            section("Findings", sections.findings()),
            section("Where they differ", sections.windows(), sections.buckets()),
            section("Records that differ", sections.differences()),
            section("Coverage", sections.coverage()),
            section("Topic partitions", sections.partitions()),
            section("Settings", facts(settings())),
            section("Run and timings", facts(timings())),
            section("Every window", sections.everyWindow()));
  }

  private static Html section(String title, Html... content) {
    return Html.tag("section").of(Html.tag("h2").of(title), Html.all(content));
  }

  private static Html facts(List<Fact> facts) {
    return Html.tag("dl")
        .of(
            facts.stream()
                .map(
                    fact ->
                        Html.tag("div")
                            .of(Html.tag("dt").of(fact.name()), Html.tag("dd").of(fact.value()))));
  }

  private List<Fact> compared() {
    Scope scope = report.scope();
    List<Fact> facts = new ArrayList<>();
    facts.add(Fact.of("Stream", scope.stream()));
    facts.add(Fact.of("Topic", scope.topic()));
    facts.add(Fact.of("Pin", scope.pin()));
    facts.add(Fact.of("Span", Words.span(scope) + ", " + Words.extent(scope)));
    facts.add(Fact.of("T", Words.instant(scope.boundary()) + " UTC"));
    facts.add(Fact.of("Windows", Words.duration(scope.window())));
    if (report.compared()) {
      facts.addAll(totals(report.totals()));
    }
    return facts;
  }

  private List<Fact> totals(Totals totals) {
    return List.of(
        Fact.of("Kinesis", Words.side(totals.kinesis())),
        Fact.of("Kafka", Words.side(totals.kafka())),
        Fact.of("Evidence, windows of shards", Words.evidence(Words.evidence(report))),
        Fact.of(
            "Kafka, outside of the span",
            Words.counted(totals.kafkaOutside(), "record", "records") + " of this copy"),
        Fact.of(
            "Not of this copy",
            "%s within the span, %s outside of it"
                .formatted(
                    Words.counted(totals.foreignInside(), "record", "records"),
                    Words.number(totals.foreignOutside()))));
  }

  private List<Fact> settings() {
    Settings settings = report.settings();
    return List.of(
        Fact.of("reconcile.require", Words.option(settings.require())),
        Fact.of("tolerance.floor", Words.number(settings.toleranceFloor())),
        Fact.of("tolerance.ppm", Words.number(settings.tolerancePpm())),
        Fact.of("reconcile.evidence", Words.option(settings.evidence())),
        Fact.of(
            "reconcile.accept-expired-before",
            settings.acceptExpiredBefore().map(Instant::toString).orElse("not set")),
        Fact.of("reconcile.sample-buckets", Words.number(settings.sampleBuckets())),
        Fact.of("reconcile.slack", Words.duration(settings.slack())),
        Fact.of("kafka.key", Words.option(settings.key())));
  }

  private List<Fact> timings() {
    Run run = report.run();
    Timings timings = report.timings();
    return List.of(
        Fact.of("Run", run.id()),
        Fact.of("Started", Words.instant(run.startedAt()) + " UTC"),
        Fact.of("Finished", Words.instant(run.finishedAt()) + " UTC"),
        Fact.of(
            "Took",
            "%s: survey %s, reading %s, comparing %s"
                .formatted(
                    Words.duration(Duration.between(run.startedAt(), run.finishedAt())),
                    Words.duration(timings.survey()),
                    Words.duration(timings.read()),
                    Words.duration(timings.compare()))),
        Fact.of("Read from the stream", read(timings.kinesisRecords(), timings.read())),
        Fact.of("Read from the topic", read(timings.kafkaRecords(), timings.read())));
  }

  private static String read(long records, Duration in) {
    String count = Words.counted(records, "record", "records");
    return in.toMillis() == 0
        ? count
        : count + ", " + Words.number(Math.round(records * 1e3 / in.toMillis())) + " a second";
  }
}
