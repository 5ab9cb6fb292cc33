package io.cutover.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CommandLineRig.Said;
import io.cutover.CutoverDir;
import io.cutover.reconcile.Truth.Place;
import io.cutover.reconcile.telling.VerdictFiles;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What one reconciliation said, held against what it had to say. */
final class VerdictCheck {

  private final Said said;
  private final VerdictReport report;
  private final List<JsonNode> differences;

  private VerdictCheck(Said said, VerdictReport report, List<JsonNode> differences) {
    this.said = said;
    this.report = report;
    this.differences = differences;
  }

  /** Reconciles, and takes in what came of it. */
  static VerdictCheck of(TruthRig rig, String... more) {
    Said said = rig.reconcile(more);
    assertThat(rig.file("verdict.json")).as(said.out()).exists();
    VerdictReport report =
        new VerdictFiles(new CutoverDir(rig.file("").toUri().toString()))
            .of(rig.verdict().at("/run/id").asText())
            .orElseThrow();
    boolean compared = report.differences().listing().isPresent();
    return new VerdictCheck(said, report, compared ? rig.differences() : List.of());
  }

  VerdictReport report() {
    return report;
  }

  Said said() {
    return said;
  }

  /** The verdict everywhere where it is given: in the file, by the exit code, on the terminal. */
  VerdictCheck is(Verdict verdict) {
    assertThat(report.verdict()).as(said.out()).isEqualTo(verdict);
    assertThat(said.code()).isEqualTo(verdict.exitCode());
    assertThat(said.out()).contains(verdict + ": ");
    if (verdict != Verdict.CLEARED) {
      assertThat(said.reason()).endsWith("[" + verdict + "]");
    }
    return this;
  }

  /** Just these findings force the verdict. */
  VerdictCheck because(FindingCode... codes) {
    assertThat(report.reasons()).as(said.out()).extracting(Finding::code).containsExactly(codes);
    return this;
  }

  VerdictCheck finds(FindingCode code, long count) {
    assertThat(report.findings())
        .as("%s of %s", code, report.findings())
        .anyMatch(finding -> finding.code() == code && finding.count() == count);
    return this;
  }

  /** Each difference and each window is as the oracle has it, and no other. */
  VerdictCheck tells(Truth truth) {
    assertThat(origins("MISSING")).as("missing").isEqualTo(truth.missing());
    assertThat(origins("STRAGGLER")).as("straggled").isEqualTo(truth.straggled());
    assertThat(origins("EXTRA")).as("extra").isEqualTo(truth.extra());
    assertThat(doubled()).as("doubled").isEqualTo(truth.doubled());
    assertThat(altered()).as("altered").isEqualTo(truth.altered());
    assertThat(places("WITHOUT_ORIGIN")).containsExactlyInAnyOrderElementsOf(truth.withoutOrigin());
    assertThat(places("OF_ANOTHER_PIN")).containsExactlyInAnyOrderElementsOf(truth.ofAnotherPin());
    assertThat(order() > 0).as("order").isEqualTo(!truth.disordered().isEmpty());
    assertThat(count(FindingCode.RECORDS_MISPLACED)).isEqualTo(truth.misplaced().size());
    assertThat(count(FindingCode.RECORDS_UNNAMED)).isZero();
    assertWindows(truth);
    assertThat(report.totals().kafkaOutside()).isEqualTo(truth.copiedOutside());
    assertThat(report.totals().foreignOutside()).isEqualTo(truth.foreignOutside());
    return this;
  }

  private long order() {
    return count(FindingCode.ORDER_VIOLATED);
  }

  private long count(FindingCode code) {
    return report.findings().stream()
        .filter(finding -> finding.code() == code)
        .mapToLong(Finding::count)
        .sum();
  }

  private List<JsonNode> kind(String kind) {
    return differences.stream().filter(line -> line.path("kind").asText().equals(kind)).toList();
  }

  private static String origin(JsonNode line) {
    return line.path("shard").asText()
        + "/"
        + line.path("sequence").asText()
        + (line.has("subSequence") ? "/" + line.path("subSequence").asText() : "");
  }

  private SortedSet<String> origins(String kind) {
    List<String> origins = kind(kind).stream().map(VerdictCheck::origin).toList();
    assertThat(origins).doesNotHaveDuplicates();
    return new TreeSet<>(origins);
  }

  private Map<String, Integer> doubled() {
    return kind("DOUBLED").stream()
        .collect(
            Collectors.toMap(
                VerdictCheck::origin,
                line -> line.path("places").size(),
                (a, b) -> -1,
                TreeMap::new));
  }

  private Map<String, Set<Truth.Part>> altered() {
    Map<String, Set<Truth.Part>> altered = new TreeMap<>();
    for (JsonNode line : kind("ALTERED")) {
      Set<Truth.Part> parts = EnumSet.noneOf(Truth.Part.class);
      line.path("altered").forEach(part -> parts.add(Truth.Part.valueOf(part.asText())));
      assertThat(altered.put(origin(line), parts)).as(line.toString()).isNull();
    }
    return altered;
  }

  private Collection<Place> places(String kind) {
    List<Place> places = new ArrayList<>();
    for (JsonNode line : kind(kind)) {
      line.path("places")
          .forEach(
              place ->
                  places.add(
                      new Place(place.path("partition").asInt(), place.path("offset").asLong())));
    }
    return places;
  }

  private void assertWindows(Truth truth) {
    Map<Instant, Truth.Window> told = new TreeMap<>();
    for (VerdictReport.Window window : report.windows()) {
      told.put(
          window.start(),
          new Truth.Window(
              count(window.kinesis()), count(window.kafka()), window.missing(), window.extra()));
    }
    // A window that holds nothing but somebody else's records has no record of either side.
    told.values().removeIf(Truth.Window.EMPTY::equals);
    assertThat(told).isEqualTo(truth.windows());
  }

  private static Truth.Count count(VerdictReport.Count count) {
    return new Truth.Count(count.records(), count.bytes());
  }
}
