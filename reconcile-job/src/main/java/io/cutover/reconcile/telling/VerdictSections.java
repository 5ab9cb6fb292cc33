package io.cutover.reconcile.telling;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Place;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Bucket;
import io.cutover.reconcile.verdict.VerdictReport.Coverage;
import io.cutover.reconcile.verdict.VerdictReport.Listing;
import io.cutover.reconcile.verdict.VerdictReport.Partition;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import io.cutover.reconcile.verdict.VerdictReport.ShardProof;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The lists of the page: what was found, where, and of which records. */
final class VerdictSections {

  /** A table that is longer is folded away. */
  private static final int LONG = 12;

  private static final String NOT_COMPARED = "It did not come to a comparison.";

  private final VerdictReport report;

  VerdictSections(VerdictReport report) {
    this.report = report;
  }

  Html findings() {
    if (report.findings().isEmpty()) {
      return Html.tag("p").of("None.");
    }
    return Html.tag("ul")
        .with("class", "findings")
        .of(report.findings().stream().map(VerdictSections::finding));
  }

  private static Html finding(Finding finding) {
    String forces = finding.forces().map(verdict -> "forces " + verdict).orElse("worth knowing");
    String type = finding.forces().map(Words::option).orElse("known");
    Html samples =
        finding.samples().isEmpty()
            ? Html.NOTHING
            : Html.tag("ul")
                .with("class", "samples")
                .of(
                    finding.samples().stream()
                        .map(sample -> Html.tag("li").of(Html.tag("bdi").of(sample))));
    return Html.tag("li")
        .with("class", "finding " + type)
        .of(
            Html.tag("h3")
                .of(
                    Html.text(finding.code().name() + " "),
                    Html.tag("span").with("class", "count").of(Words.number(finding.count())),
                    Html.text(" "),
                    Html.tag("span").with("class", "forces").of(forces)),
            Html.tag("p").of(Html.tag("bdi").of(finding.text())),
            samples);
  }

  /** Every window in numbers, folded away. */
  Html everyWindow() {
    return report.windows().isEmpty()
        ? Html.tag("p").of(report.compared() ? "None holds a record." : NOT_COMPARED)
        : folded(
            Words.counted(report.windows().size(), "window", "windows") + " in numbers",
            windowTable("Windows with records, over all shards", report.windows()));
  }

  /** The windows that do not agree. */
  Html windows() {
    if (!report.compared()) {
      return Html.tag("p").of(NOT_COMPARED);
    }
    List<Window> worst = WorstFirst.of(report.windows());
    return worst.isEmpty()
        ? Html.tag("p").of("Every window that was compared agrees.")
        : windowTable("Windows that do not agree, the worst first", worst);
  }

  private Html windowTable(String caption, List<Window> windows) {
    return new HtmlTable<Window>(caption)
        .time("Start, UTC", Window::start)
        .time("End", Window::end)
        .line("State", window -> Words.state(window.state()))
        .number("Kinesis", window -> window.kinesis().records())
        .number("Kafka", window -> window.kafka().records())
        .number("Missing", Window::missing)
        .number("Extra", Window::extra)
        .number("Altered", Window::altered)
        .number("Not the copy's", Window::foreign)
        .number("Read again", window -> window.evidence().reread())
        .number("Witness", window -> window.evidence().witness())
        .number("Not compared", window -> window.evidence().notCompared())
        .of(windows, VerdictFiles.LAST);
  }

  /** The windows of shards that do not agree. */
  Html buckets() {
    if (report.buckets().isEmpty()) {
      return Html.NOTHING;
    }
    return new HtmlTable<Bucket>("Windows of single shards that differ or were not compared")
        .text("Shard", Bucket::shard)
        .time("Start, UTC", Bucket::start)
        .time("End", Bucket::end)
        .line("State", bucket -> Words.state(bucket.state()))
        .line("Evidence", bucket -> Words.plain(bucket.evidence()))
        .number("Kinesis", bucket -> bucket.kinesis().records())
        .number("Kafka", bucket -> bucket.kafka().records())
        .line("Digests", bucket -> digests(bucket))
        .line("Records named", bucket -> bucket.named() ? "yes" : "no")
        .of(report.buckets(), VerdictFiles.LAST);
  }

  private static String digests(Bucket bucket) {
    return bucket.kinesisDigest().equals(bucket.kafkaDigest()) ? "equal" : "differ";
  }

  Html differences() {
    Optional<Listing> listing = report.differences().listing();
    if (report.differences().counts().isEmpty()) {
      return Html.tag("p").of(listing.isPresent() ? "None." : NOT_COMPARED);
    }
    String where = listing.map(file -> "All of them are in " + listed(file) + ".").orElse("");
    String counts =
        report.differences().counts().entrySet().stream()
            .map(count -> Words.number(count.getValue()) + " " + Words.plain(count.getKey()))
            .collect(Collectors.joining(", "));
    return Html.all(
        Html.tag("p").of(Html.text(counts + ". "), Html.tag("bdi").of(where)),
        new HtmlTable<Difference>("The first of each kind")
            .line("Kind", VerdictSections::kind)
            .text("Shard", difference -> origin(difference, Origin::shardId))
            .text("Sequence number", difference -> origin(difference, VerdictSections::sequence))
            .line("Arrival, UTC", difference -> arrival(difference))
            .text(
                "Partition and offset",
                difference ->
                    places(
                        difference,
                        place -> place.partition() + ": " + Words.number(place.offset())))
            .text(
                "Timestamp, UTC",
                difference -> places(difference, place -> Words.instant(place.timestamp())))
            .of(report.differences().samples(), where(report)));
  }

  private static String where(VerdictReport report) {
    return report.differences().listing().map(Listing::file).orElse(VerdictFiles.LAST);
  }

  private static String listed(Listing listing) {
    return listing.file() + " (SHA-256 " + listing.sha256() + ")";
  }

  private static String kind(Difference difference) {
    String altered =
        difference.altered().stream().map(Words::plain).collect(Collectors.joining(", "));
    return Words.plain(difference.kind()) + (altered.isEmpty() ? "" : ": " + altered);
  }

  private static String origin(Difference difference, Function<Origin, String> of) {
    return difference.origin().map(of).orElse("none");
  }

  private static String sequence(Origin origin) {
    return origin.sequenceNumber()
        + (origin.subSequence().isPresent() ? ", member " + origin.subSequence().getAsInt() : "");
  }

  private static String arrival(Difference difference) {
    return difference.arrival().map(Words::instant).orElse("not in the stream");
  }

  private static String places(Difference difference, Function<Place, String> of) {
    return difference.places().isEmpty()
        ? "not in the topic"
        : difference.places().stream().map(of).collect(Collectors.joining("; "));
  }

  Html coverage() {
    return report
        .coverage()
        .map(VerdictSections::coverage)
        .orElseGet(() -> Html.tag("p").of("It did not come to reading."));
  }

  private static Html coverage(Coverage coverage) {
    List<ShardProof> unproved =
        coverage.shards().stream().filter(shard -> shard.proof().isEmpty()).toList();
    List<Recount> differing =
        coverage.recounts().stream().filter(recount -> !recount.agrees()).toList();
    // What expired meanwhile was not.
    long recounted =
        coverage.recounts().stream().filter(recount -> recount.recounted().isPresent()).count();
    List<Html> parts = new ArrayList<>();
    Stream.of(
            coverage.tiles()
                ? "The shards at which the reading ended own every hash key exactly once."
                : "The shards at which the reading ended do not own every hash key exactly once.",
            Words.counted(coverage.shards().size(), "shard", "shards")
                + ", "
                + (unproved.isEmpty()
                    ? "each with a proof that it was read to its end."
                    : Words.number(unproved.size())
                        + " without a proof that it was read to its end."),
            Words.counted(recounted, "window of a shard", "windows of shards")
                + " counted once more by a plain loop, "
                + (differing.isEmpty()
                    ? "none differs."
                    : Words.number(differing.size()) + " with another result."))
        .forEach(sentence -> parts.add(Html.tag("p").of(sentence)));
    if (!unproved.isEmpty()) {
      parts.add(shardTable("Shards without a proof", unproved));
    }
    if (!differing.isEmpty()) {
      parts.add(recountTable("Recounts that differ", differing));
    }
    if (!coverage.shards().isEmpty()) {
      parts.add(folded("Every shard", shardTable("Shards", coverage.shards())));
    }
    if (!coverage.recounts().isEmpty()) {
      parts.add(folded("Every recount", recountTable("Recounts", coverage.recounts())));
    }
    return Html.all(parts);
  }

  private static Html shardTable(String caption, List<ShardProof> shards) {
    return new HtmlTable<ShardProof>(caption)
        .text("Shard", ShardProof::shard)
        .line("Listed today", shard -> shard.listed() ? "yes" : "no")
        .text("Proof that it was read to its end", shard -> shard.proof().orElse("none"))
        .of(shards, VerdictFiles.LAST);
  }

  private static Html recountTable(String caption, List<Recount> recounts) {
    return new HtmlTable<Recount>(caption)
        .text("Shard", Recount::shard)
        .time("Start, UTC", Recount::start)
        .time("End", Recount::end)
        .number("Found", recount -> recount.found().records())
        .line(
            "Recounted",
            recount ->
                recount.recounted().map(count -> Words.number(count.records())).orElse("expired"))
        .line("Agrees", recount -> recount.agrees() ? "yes" : "no")
        .of(recounts, VerdictFiles.LAST);
  }

  Html partitions() {
    List<Partition> partitions = report.partitions();
    if (partitions.isEmpty()) {
      return Html.tag("p").of("None was read.");
    }
    Html table =
        new HtmlTable<Partition>("Partitions as they were read")
            .number("Partition", partition -> (long) partition.partition())
            .number("First offset", Partition::begin)
            .number("End offset", Partition::end)
            .number("Committed records", Partition::records)
            .of(partitions, VerdictFiles.LAST);
    return partitions.size() > LONG
        ? folded(Words.number(partitions.size()) + " partitions", table)
        : table;
  }

  private static Html folded(String summary, Html content) {
    return Html.tag("details").of(Html.tag("summary").of(summary), content);
  }
}
