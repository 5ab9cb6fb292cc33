package io.cutover.reconcile.judge;

import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.BucketKey;
import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Sampled;
import io.cutover.reconcile.telling.Words;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** What the two sides' differences, and what stands in the topic beside the copy, are told as. */
record DifferenceFindings(
    Plan plan, Compared compared, Named named, Differences differences, Tolerance tolerance) {

  private static final Optional<Verdict> MISMATCH = Optional.of(Verdict.MISMATCH);

  List<Finding> all() {
    List<Finding> findings = new ArrayList<>();
    boolean tolerated = tolerance.covers();
    Optional<Verdict> countable = tolerated ? Optional.empty() : MISMATCH;
    addKind(
        findings,
        FindingCode.RECORDS_MISSING,
        Kind.MISSING,
        countable,
        count ->
            Words.counted(count, "record of the stream is", "records of the stream are")
                + " not in the topic. Copy again into an empty topic.");
    addKind(
        findings,
        FindingCode.RECORDS_STRAGGLED,
        Kind.STRAGGLER,
        countable,
        count ->
            Words.counted(count, "record", "records")
                + " from before T reached the stream behind the point where the backfill had stopped"
                + " reading, and did not get into the topic. Copy again with a longer boundary.slack.");
    addKind(
        findings,
        FindingCode.RECORDS_EXTRA,
        Kind.EXTRA,
        countable,
        count ->
            Words.counted(count, "record of the topic claims", "records of the topic claim")
                + " an origin that the stream does not have.");
    addKind(
        findings,
        FindingCode.RECORDS_DOUBLED,
        Kind.DOUBLED,
        countable,
        count ->
            Words.counted(count, "record stands", "records stand")
                + " in the topic more than once.");
    altered(findings);
    unnamed(findings);
    if (tolerated && tolerable() > 0) {
      findings.add(
          Finding.of(
              FindingCode.DIFFERENCES_TOLERATED,
              Optional.empty(),
              tolerable(),
              Words.counted(tolerable(), "record is", "records are")
                  + " missing or extra, which reconcile.require = tolerance lets pass."));
    }
    inTopic(findings);
    order(findings);
    witness(findings);
    return findings;
  }

  private void addKind(
      List<Finding> findings,
      FindingCode code,
      Kind kind,
      Optional<Verdict> forces,
      LongFunction<String> text) {
    long count = differences.counts().getOrDefault(kind, 0L);
    if (count > 0) {
      findings.add(new Finding(code, forces, count, text.apply(count), samples(kind)));
    }
  }

  private List<String> samples(Kind kind) {
    return differences.samples().stream()
        .filter(difference -> difference.kind() == kind)
        .map(Difference::line)
        .toList();
  }

  private void altered(List<Finding> findings) {
    long altered =
        Math.max(
            differences.counts().getOrDefault(Kind.ALTERED, 0L) - named.misplacedOnly(),
            compared.topic().postdated().count());
    if (altered > 0) {
      findings.add(
          new Finding(
              FindingCode.RECORDS_ALTERED,
              MISMATCH,
              altered,
              Words.counted(altered, "record has", "records have")
                  + " another key, value or timestamp in the topic than in the stream.",
              samples(Kind.ALTERED)));
    }
    add(
        findings,
        FindingCode.RECORDS_MISPLACED,
        compared.topic().misplaced(),
        count ->
            Words.counted(count, "record stands", "records stand")
                + " in a partition that the key does not hash to, over the pinned partition count: a"
                + " key's records have parted.");
  }

  private static void add(
      List<Finding> findings, FindingCode code, Sampled found, LongFunction<String> text) {
    if (found.count() > 0) {
      findings.add(
          new Finding(code, MISMATCH, found.count(), text.apply(found.count()), found.samples()));
    }
  }

  private void unnamed(List<Finding> findings) {
    List<String> unnamed =
        compared.comparison().differing().stream()
            .filter(bucket -> !named.explains(bucket))
            .map(this::line)
            .toList();
    if (!unnamed.isEmpty()) {
      findings.add(
          new Finding(
              FindingCode.RECORDS_UNNAMED,
              MISMATCH,
              unnamed.size(),
              Words.counted(
                      unnamed.size(),
                      "window of a shard differs",
                      "windows of single shards differ")
                  + " by records that cannot all be named, since the stream does not show them any"
                  + " more.",
              unnamed.subList(0, Math.min(Sampled.MOST, unnamed.size()))));
    }
  }

  private String line(Bucket bucket) {
    return span(bucket.key())
        + ": "
        + Bucket.count(bucket.kinesis()).records()
        + " in the stream, "
        + Bucket.count(bucket.kafka()).records()
        + " in the topic";
  }

  private String span(BucketKey key) {
    return key.shard()
        + " from "
        + plan.span().windows().start(key.window())
        + " to "
        + plan.span().windows().end(key.window());
  }

  private void inTopic(List<Finding> findings) {
    add(
        findings,
        FindingCode.RECORDS_WITHOUT_ORIGIN,
        compared.topic().withoutOrigin(),
        count ->
            Words.counted(count, "record of the topic lies", "records of the topic lie")
                + " in the compared span without an origin of this copy. A dual write from before T"
                + " doubles what the backfill copies.");
    add(
        findings,
        FindingCode.RECORDS_OF_ANOTHER_PIN,
        compared.topic().otherPins(),
        count ->
            Words.counted(count, "record of the topic lies", "records of the topic lie")
                + " in the compared span with the origin of a copy under another pin.");
    Sampled stamped = compared.topic().appendTime();
    if (stamped.count() > 0) {
      findings.add(
          new Finding(
              FindingCode.LOG_APPEND_TIME,
              Optional.empty(),
              stamped.count(),
              Words.counted(stamped.count(), "record of this copy has", "records of this copy have")
                  + " the broker's time of appending for a timestamp, not the arrival:"
                  + " message.timestamp.type must be CreateTime.",
              stamped.samples()));
    }
  }

  private void order(List<Finding> findings) {
    add(
        findings,
        FindingCode.ORDER_VIOLATED,
        compared.topic().disorder().plus(compared.lineageDisorder()),
        count ->
            Words.counted(count, "time", "times")
                + " a record of a shard, or of its parent, stands behind a newer one in the same"
                + " partition: readers would see the older one last.");
  }

  private void witness(List<Finding> findings) {
    List<BucketKey> differ = compared.comparison().witnessDiffers();
    boolean contradicts = !compared.comparison().witnessContradicts().isEmpty();
    if (!differ.isEmpty()) {
      findings.add(
          new Finding(
              FindingCode.WITNESS_DIFFERS,
              contradicts ? Optional.of(Verdict.INCONCLUSIVE) : Optional.empty(),
              differ.size(),
              Words.counted(differ.size(), "window of a shard is", "windows of single shards are")
                  + " not what the backfill's witness has: "
                  + (contradicts
                      ? "the backfill had read records that the stream does not show now, or one of"
                          + " the two readings was wrong. Keep cutover.dir and the log, and report it."
                      : "records came in behind the backfill."),
              (contradicts ? compared.comparison().witnessContradicts() : differ)
                  .stream().limit(Sampled.MOST).map(this::span).toList()));
    }
  }

  private long tolerable() {
    return named.total().missing() + named.total().extra();
  }
}
