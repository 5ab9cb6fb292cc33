package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.verdict.ReportDraft;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.EvidenceCounts;
import io.cutover.reconcile.verdict.VerdictReport.State;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerdictTableTest {

  private static final String PAGE = "s3://bucket/a-rather-long-folder/" + "x".repeat(80);

  static Stream<VerdictReport> reports() {
    return Reports.all().values().stream();
  }

  private static List<String> lines(VerdictReport report) {
    return VerdictTable.of(report, PAGE).lines().toList();
  }

  private static void assertFits(VerdictReport report) {
    List<String> lines = lines(report);
    assertThat(lines.get(lines.size() - 1)).isEqualTo("Page: " + PAGE);
    assertThat(lines.subList(0, lines.size() - 1))
        .allSatisfy(
            line -> {
              assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(80);
              assertThat(line.chars()).noneMatch(Character::isISOControl);
            });
  }

  @ParameterizedTest
  @MethodSource("reports")
  void everyLineButThePagesFitsTheTerminal(VerdictReport report) {
    assertFits(report);
  }

  @Property(tries = 200)
  void noTextBreaksTheTable(@ForAll String text, @ForAll String shard) {
    assertFits(Reports.hostile(text, shard));
  }

  @Property(tries = 200)
  void noNumberBreaksTheTable(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 4) long kinesis,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 4) long kafka) {
    ReportDraft draft = Reports.clean(1);
    draft.windows.set(
        0,
        new Window(
            Reports.start(0, 1),
            ReportDraft.T,
            new Count(kinesis, kinesis),
            new Count(kafka, kafka),
            kinesis,
            kafka,
            kafka,
            kafka,
            new EvidenceCounts(kafka, 0, 0),
            State.DIFFERS));
    assertFits(draft.totalled().report());
  }

  @Test
  void verdictStandsFirstAndThenWhy() {
    assertThat(lines(Reports.mismatch()))
        .startsWith(
            "MISMATCH: The sides differ. Do not flip the readers.",
            "  201 records are in the stream but not in the topic. Look at differences.jsonl,",
            "  which names them, and make the copy anew. And 6 more reasons.");
    assertThat(lines(Reports.oneWindow()).get(2)).isEqualTo("  6,000 records on both sides.");
  }

  @Test
  void clearedWithinTheToleranceDoesNotClaimThatAllAgrees() {
    assertThat(VerdictTable.of(Reports.tolerated(), PAGE))
        .contains("within the tolerance")
        .doesNotContain("all of it agrees");
  }

  @Test
  void eachFindingStandsWithItsCountAndText() {
    assertThat(lines(Reports.mismatch()))
        .containsSequence(
            "  RECORDS_MISSING: 201, forces MISMATCH",
            "    201 records are in the stream but not in the topic. Look at",
            "    differences.jsonl, which names them, and make the copy anew.")
        .containsSequence(
            "  RETENTION_SHORT: 1",
            "    retention.ms is 604800000, but the copy begins 7 d 2 h ago: set it to -1.");
  }

  @Test
  void worstWindowsComeFirst() {
    assertThat(lines(Reports.mismatch()))
        .containsSequence(
            "  Window, UTC            Kinesis         Kafka   missing     extra",
            "  2026-11-28 20:00         2,536         2,396       140         0  differs",
            "  2026-11-26 18:00         2,000         1,910        90         0  differs");
  }

  @Test
  void ofManyWindowsTenAreShownAndTheRestCounted() {
    List<String> lines = lines(Reports.partial());
    assertThat(lines.stream().filter(line -> line.matches("  2026-.*  not compared"))).hasSize(10);
    assertThat(lines).contains("  and 14 more windows");
  }

  @Test
  void whatWasNotComparedHasNoTotals() {
    assertThat(VerdictTable.of(Reports.inconclusive(), PAGE))
        .contains("It did not come to a comparison.")
        .doesNotContain("0 records");
  }
}
