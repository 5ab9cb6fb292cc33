package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import io.cutover.reconcile.verdict.Difference.Place;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.ReportDraft;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.Totals;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class VerdictJsonPropertyTest {

  @Property(tries = 200)
  void whatWasWrittenIsReadAgain(
      @ForAll("findings") List<Finding> findings,
      @ForAll("differences") List<Difference> differences,
      @ForAll("instants") Instant boundary,
      @ForAll @LongRange(min = 1) long length,
      @ForAll @LongRange(min = 0) long records)
      throws IOException {
    ReportDraft draft = Reports.clean(2);
    draft.findings.addAll(findings);
    draft.differing(differences);
    draft.totals = new Totals(new Count(records, length), Count.NOTHING, records, length, 0);
    draft.scope =
        new VerdictReport.Scope(
            "pin",
            "stream",
            "topic",
            1,
            boundary,
            boundary,
            boundary,
            boundary,
            true,
            Duration.ofNanos(length));
    VerdictReport report = draft.report();
    String text = VerdictJson.text(report);
    assertThat(VerdictJson.report(text)).isEqualTo(report);
    assertThat(VerdictJson.text(VerdictJson.report(text))).isEqualTo(text);
  }

  @Provide
  Arbitrary<List<Finding>> findings() {
    return Combinators.combine(
            Arbitraries.of(FindingCode.class),
            Arbitraries.of(Verdict.class).optional(),
            Arbitraries.longs().greaterOrEqual(0),
            texts(),
            texts().list().ofMaxSize(3))
        .as(Finding::new)
        .list()
        .ofMaxSize(5);
  }

  @Provide
  Arbitrary<List<Difference>> differences() {
    Arbitrary<Optional<Origin>> origins =
        Combinators.combine(texts(), texts(), Arbitraries.integers().greaterOrEqual(0).optional())
            .as(
                (shard, sequence, sub) ->
                    new Origin(
                        shard, sequence, sub.map(OptionalInt::of).orElse(OptionalInt.empty())))
            .optional();
    Arbitrary<Place> places =
        Combinators.combine(
                Arbitraries.integers().greaterOrEqual(0),
                Arbitraries.longs().greaterOrEqual(0),
                instants())
            .as(Place::new);
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.of(Part.class).set().ofMaxSize(4),
            origins,
            instants().optional(),
            places.list().ofMaxSize(3))
        .as(Difference::new)
        .list()
        .ofMaxSize(5);
  }

  @Provide
  Arbitrary<Instant> instants() {
    return Arbitraries.longs()
        .between(0, Instant.parse("2100-01-01T00:00:00Z").toEpochMilli())
        .map(Instant::ofEpochMilli);
  }

  /** Any text of whole characters: half of a surrogate pair has no bytes in UTF-8. */
  private static Arbitrary<String> texts() {
    return Arbitraries.strings().ofMaxLength(20);
  }
}
