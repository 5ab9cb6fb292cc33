package io.cutover.reconcile.telling;

import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.State;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Both sides of each window over time, as a pair of bars. Lengths along the time are percentages
 * and all others pixels, so that texts and marks keep their size on every width.
 */
final class VerdictChart {

  private static final int TOP = 30;
  private static final int PLOT = 200;
  private static final int BOTTOM = TOP + PLOT;
  private static final int HEIGHT = BOTTOM + 24;
  private static final int AXIS = 44;

  /** A bar is no wider, in percent, however few there are. */
  private static final double WIDEST_BAR = 4;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** So many pairs of bars fit a desk, and a phone. */
  private static final int DESK = 180;

  private static final int PHONE = 60;

  private final Scope scope;
  private final String width;
  private final long each;
  private final List<Window> windows;
  private final List<ChartSlot> slots;
  private final long most;
  private final long step;

  private VerdictChart(VerdictReport report, String width, int mostSlots) {
    this.scope = report.scope();
    this.width = width;
    this.each = ChartSlot.windowsEach(scope, mostSlots);
    this.windows = report.windows();
    this.slots = ChartSlot.over(scope, windows, mostSlots);
    this.most =
        slots.stream()
            .mapToLong(slot -> Math.max(slot.kinesis().records(), slot.kafka().records()))
            .max()
            .orElse(0);
    this.step = step(most);
  }

  /** The chart, once for a desk and once for a phone; the width of the page shows one of them. */
  static Html of(VerdictReport report) {
    if (report.windows().isEmpty()) {
      return Html.tag("p")
          .of(report.compared() ? "No window holds a record." : "It did not come to a comparison.");
    }
    return Html.all(
        new VerdictChart(report, "desk", DESK).figure(),
        new VerdictChart(report, "phone", PHONE).figure());
  }

  private Html figure() {
    return Html.tag("figure")
        .with("class", width)
        .of(legend(), picture(), Html.tag("figcaption").of(told()));
  }

  /** The picture in words. */
  private String told() {
    return "Records in each window of "
        + Words.duration(scope.window())
        + ", "
        + Words.span(scope)
        + ": "
        + Words.counted(windows.size(), "window with records", "windows with records")
        + "; "
        + Words.number(in(State.DIFFERS))
        + " differing, "
        + Words.number(in(State.NOT_COMPARED))
        + " not compared, "
        + Words.number(in(State.TOLERATED))
        + " tolerated"
        + "."
        + (each == 1
            ? ""
            : " One pair of bars stands for "
                + Words.number(each)
                + " windows, and is marked if one of them is.");
  }

  private long in(State state) {
    return windows.stream().filter(window -> window.state() == state).count();
  }

  private Html picture() {
    return Html.tag("div")
        .with("class", "chart")
        .with("role", "img")
        .with("aria-label", told())
        .of(axis(), plot());
  }

  /** A round number, up to five of which reach the most records. */
  private static long step(long most) {
    long power = 1;
    while (most / power >= 50) {
      power *= 10;
    }
    long tens = most / power;
    return tens >= 20 ? 10 * power : tens >= 10 ? 5 * power : tens >= 5 ? 2 * power : power;
  }

  private Stream<Long> ticks() {
    return Stream.iterate(0L, tick -> tick <= most && tick >= 0, tick -> tick + step);
  }

  private double height(long records) {
    return most == 0 ? 0 : (double) PLOT * records / most;
  }

  private Html axis() {
    return svg("axis", String.valueOf(AXIS))
        .of(
            ticks()
                .map(
                    tick ->
                        Html.tag("text")
                            .with("x", String.valueOf(AXIS - 6))
                            .with("y", pixels(BOTTOM - height(tick) + 4))
                            .with("text-anchor", "end")
                            .of(Words.brief(tick))));
  }

  private Html plot() {
    List<Html> parts = new ArrayList<>();
    parts.add(patterns());
    ticks().forEach(tick -> parts.add(grid(BOTTOM - height(tick))));
    runs().forEach(run -> parts.add(band(run)));
    IntStream.range(0, slots.size()).forEach(i -> parts.add(bars(i)));
    runs().forEach(run -> parts.add(mark(run)));
    IntStream.rangeClosed(0, 4).forEach(quarter -> parts.add(time(quarter)));
    return svg("plot", "100%").of(parts);
  }

  private static Html.Tag svg(String type, String width) {
    return Html.tag("svg")
        .with("class", type)
        .with("width", width)
        .with("height", String.valueOf(HEIGHT))
        .with("aria-hidden", "true");
  }

  private static Html grid(double y) {
    return Html.tag("line")
        .with("class", "grid")
        .with("x1", "0")
        .with("x2", "100%")
        .with("y1", pixels(y))
        .with("y2", pixels(y))
        .alone();
  }

  private Html time(int quarter) {
    Duration span = Duration.between(scope.from(), scope.to());
    Instant at = scope.from().plus(span.multipliedBy(quarter).dividedBy(4));
    Html.Tag text =
        Html.tag("text")
            .with("x", percent(quarter * 25))
            .with("y", String.valueOf(HEIGHT - 6))
            .with("text-anchor", quarter == 0 ? "start" : quarter == 4 ? "end" : "middle");
    return (quarter % 2 == 0 ? text : text.with("class", "wide")).of(TIME.format(at));
  }

  private Html bars(int slot) {
    ChartSlot of = slots.get(slot);
    double width = 100.0 / slots.size();
    double bar = Math.min(width * 0.42, WIDEST_BAR);
    double middle = (slot + 0.5) * width;
    return Html.tag("g")
        .of(
            Html.tag("title").of(of.told()),
            rect("over", slot * width, width, TOP, PLOT),
            bar("kinesis", middle - bar, bar, of.kinesis().records()),
            bar("kafka", middle, bar, of.kafka().records()));
  }

  private Html bar(String side, double x, double width, long records) {
    // A side with one record among millions is still there.
    double height = records == 0 ? 0 : Math.max(1, height(records));
    return rect(side, x, width, BOTTOM - height, height);
  }

  private static Html rect(String type, double x, double width, double y, double height) {
    return Html.tag("rect")
        .with("class", type)
        .with("x", percent(x))
        .with("width", percent(width))
        .with("y", pixels(y))
        .with("height", pixels(height))
        .alone();
  }

  /** Places of one state that follow each other. */
  private record Run(State state, int from, int to) {}

  private List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= slots.size(); i++) {
      State state = slots.get(from).state();
      if (i == slots.size() || slots.get(i).state() != state) {
        if (state != State.AGREES) {
          runs.add(new Run(state, from, i));
        }
        from = i;
      }
    }
    return runs;
  }

  private Html band(Run run) {
    double width = 100.0 / slots.size();
    return rect(
        "band " + type(run.state()),
        run.from() * width,
        (run.to() - run.from()) * width,
        TOP - 8,
        PLOT + 14.0);
  }

  /** Above the middle of a run; of a shape of its own for each state. */
  private Html mark(Run run) {
    double middle = (run.from() + run.to()) * 50.0 / slots.size();
    return Html.tag("svg")
        .with("x", percent(middle))
        .with("y", "4")
        .with("class", "mark")
        .of(shape(run.state()));
  }

  private static Html shape(State state) {
    String path =
        switch (state) {
          case DIFFERS -> "M-7 1H7L0 14Z";
          case TOLERATED -> "M0 2L6 8L0 14L-6 8Z";
          default -> "M-5 3L5 13M5 3L-5 13";
        };
    return Html.tag("path").with("class", "mark " + type(state)).with("d", path).alone();
  }

  private static String type(State state) {
    return Words.option(state);
  }

  private Html patterns() {
    return Html.tag("defs")
        .of(
            pattern("tolerated", "M2 2h2v2h-2z"),
            pattern("not-compared", "M0 8L8 0M-2 2L2 -2M6 10L10 6"));
  }

  private Html pattern(String id, String path) {
    return Html.tag("pattern")
        .with("id", width + "-" + id)
        .with("width", "8")
        .with("height", "8")
        .with("patternUnits", "userSpaceOnUse")
        .of(Html.tag("path").with("class", "pattern " + id).with("d", path).alone());
  }

  private Html legend() {
    List<Html> entries = new ArrayList<>();
    entries.add(entry("kinesis", "Kinesis", Html.NOTHING));
    entries.add(entry("kafka", "Kafka", Html.NOTHING));
    Stream.of(State.DIFFERS, State.NOT_COMPARED, State.TOLERATED)
        .forEach(state -> entries.add(entry("", Words.state(state), shape(state))));
    return Html.tag("ul").with("class", "legend").with("aria-hidden", "true").of(entries);
  }

  private static Html entry(String bar, String name, Html shape) {
    Html sample =
        bar.isEmpty()
            ? shape
            : Html.tag("rect")
                .with("class", bar)
                .with("x", "-6")
                .with("y", "2")
                .with("width", "12")
                .with("height", "12")
                .alone();
    return Html.tag("li")
        .of(
            Html.tag("svg")
                .with("width", "16")
                .with("height", "16")
                .with("viewBox", "-8 0 16 16")
                .of(sample),
            Html.text(name));
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.3f%%", value);
  }

  private static String pixels(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
