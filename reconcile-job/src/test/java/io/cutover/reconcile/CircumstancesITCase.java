package io.cutover.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.reconcile.verdict.Evidence;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.rig.Producer.Written;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A right copy whose circumstances change: the stream, the topic, the folder, the question. */
class CircumstancesITCase {

  private static final Duration STEP = Duration.ofMinutes(10);
  private static final Duration DAY = Duration.ofDays(1);
  private static final int PARTITIONS = 2;

  private static EmbeddedKafka kafka;

  @TempDir private Path dir;

  private TruthRig rig;
  private String split;
  private String other;
  private List<EmulatedShard> children;

  @BeforeAll
  static void startKafka() {
    kafka = TruthRig.broker();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  /** Three days: on the first and second one parent, on the third its children; another beside. */
  @BeforeEach
  void write() {
    rig = new TruthRig(kafka, dir, 2, PARTITIONS);
    split = rig.stream().shards().get(0).id();
    other = rig.stream().shards().get(1).id();
    Instant begin = rig.t().minus(DAY.multipliedBy(3));
    rig.producer().fill(split, 30, begin, STEP);
    rig.producer().fill(split, 30, begin.plus(DAY), STEP);
    rig.producer().fill(other, 60, begin.plus(DAY), STEP);
    children = rig.stream().split(split, rig.t().minus(DAY));
    for (EmulatedShard child : children) {
      rig.producer().fill(child.id(), 30, rig.t().minus(DAY).plus(STEP), STEP);
    }
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private VerdictCheck reconcile(String... more) {
    return VerdictCheck.of(rig, more);
  }

  private static String[] witness() {
    return new String[] {"-D", "reconcile.evidence=witness"};
  }

  private static String[] option(String key, Object value) {
    return new String[] {"-D", key + "=" + value};
  }

  private void dropFirst(String shard, int count) {
    List<Written> records = rig.copiedOf(shard);
    rig.surgeon()
        .operate(draft -> records.subList(0, count).forEach(one -> draft.drop(one.origin())));
  }

  // ---- the stream

  @Test
  void streamThatIsReshardedAfterTIsNormal() {
    rig.copy();
    List<EmulatedShard> grandchildren = rig.stream().split(children.get(0).id());
    rig.producer().put(grandchildren.get(0).id(), "key", "after T", rig.t().plus(STEP));
    reconcile().tells(rig.truth()).is(Verdict.CLEARED);
  }

  @Test
  void stragglerIsNamed() {
    rig.copy();
    rig.producer().put(other, "late", "from before T, after the copy", rig.t().minusMillis(7));
    Truth truth = rig.truth();
    assertThat(truth.straggled()).hasSize(1);
    reconcile()
        .tells(truth)
        .is(Verdict.MISMATCH)
        .because(FindingCode.RECORDS_STRAGGLED)
        .finds(FindingCode.WITNESS_DIFFERS, 1);
    // The witness cannot know of it.
    reconcile(witness()).is(Verdict.CLEARED);
  }

  @Test
  void whatHasExpiredIsComparedByTheWitness() {
    rig.copy();
    rig.stream().retention(DAY.multipliedBy(2));
    assertThat(rig.stream().horizon()).isAfter(rig.t().minus(DAY.multipliedBy(3)));
    VerdictReport report = reconcile().tells(rig.truth()).is(Verdict.CLEARED).report();
    assertThat(report.windows())
        .anyMatch(window -> window.evidence().witness() > 0)
        .anyMatch(window -> window.evidence().reread() > 0)
        .allMatch(window -> window.evidence().notCompared() == 0);
  }

  @Test
  void whatHasExpiredAndDiffersFromTheWitnessCannotAllBeNamed() {
    rig.copy();
    rig.stream().retention(DAY.multipliedBy(2));
    dropFirst(split, 1);
    reconcile().is(Verdict.MISMATCH).because(FindingCode.RECORDS_UNNAMED);
  }

  @Test
  void whatHasExpiredWithoutAWitnessIsNotCompared() {
    rig.copy();
    rig.files().deleteWitness();
    reconcile().is(Verdict.CLEARED).finds(FindingCode.WITNESS_UNUSABLE, 1);

    rig.stream().retention(DAY.multipliedBy(2));
    VerdictReport report =
        reconcile().is(Verdict.PARTIAL).because(FindingCode.NOT_COMPARED).report();
    assertThat(report.buckets())
        .isNotEmpty()
        .allMatch(bucket -> bucket.evidence() == Evidence.NOT_COMPARED);
    assertThat(report.windows()).anyMatch(window -> window.evidence().reread() > 0);
  }

  /** What the reading leaves to the witness because it might expire meanwhile does no harm. */
  @Test
  void retentionThatMovesALittleDuringTheRunChangesNothing() {
    rig.copy();
    rig.stream().retention(Duration.ofMinutes(15).plus(DAY.multipliedBy(3)).minus(STEP));
    rig.stream().readStyle(ReadStyle.AWS.pageRecords(10));
    CompletableFuture<Void> moved = advanceWhileItReads(STEP);
    reconcile().tells(rig.truth()).is(Verdict.CLEARED);
    moved.join();
  }

  @Test
  void retentionThatOvertakesTheReadingIsInconclusiveAndNoMismatch() {
    rig.copy();
    rig.stream().retention(DAY.multipliedBy(3));
    rig.stream().readStyle(ReadStyle.AWS.pageRecords(5));
    rig.kinesis().faults().on("GetRecords").delay(Duration.ofMillis(100));
    CompletableFuture<Void> moved = advanceWhileItReads(DAY);
    VerdictReport report =
        reconcile().is(Verdict.INCONCLUSIVE).because(FindingCode.READ_FAILED).report();
    moved.join();
    assertThat(report.findings().toString()).contains("RETENTION_OVERTOOK").contains("run this");
  }

  private CompletableFuture<Void> advanceWhileItReads(Duration by) {
    rig.kinesis().clearCalls();
    return CompletableFuture.runAsync(
        () -> {
          await()
              .atMost(Duration.ofMinutes(2))
              .until(
                  () ->
                      rig.kinesis().calls().stream().filter(call -> call.records() > 0).count()
                          >= 3);
          rig.kinesis().clock().advance(by);
        });
  }

  @Test
  void unexpiredShardThatTheStreamDoesNotListIsInconclusive() {
    rig.copy();
    rig.stream().vanish(children.get(0).id());
    reconcile(witness()).is(Verdict.INCONCLUSIVE).finds(FindingCode.SHARD_MISSING, 1);
  }

  @Test
  void streamThatWasMadeAnewIsInconclusive() {
    rig.copy();
    rig.kinesis().deleteStream(TruthRig.STREAM);
    rig.kinesis().createStream(TruthRig.STREAM, 2);
    reconcile().is(Verdict.INCONCLUSIVE).because(FindingCode.STREAM_RECREATED);
  }

  @Test
  void emptyStreamIsClearedAndSaidToBeEmpty() {
    rig.close();
    rig = new TruthRig(kafka, dir, 2, PARTITIONS);
    rig.copy();
    reconcile().tells(rig.truth()).is(Verdict.CLEARED).finds(FindingCode.NO_RECORDS, 0);
  }

  // ---- coverage

  /** Both sides are blind to it, and agree. */
  @Test
  void shardThatTheSourceSkippedIsMissedByTheCoverage() {
    rig.copy();
    String skipped = children.get(1).id();
    rig.files().forget(skipped);
    rig.surgeon().operate(draft -> draft.dropShard(skipped));
    VerdictCheck check = reconcile(witness());
    assertThat(check.report().windows())
        .allMatch(window -> window.kinesis().equals(window.kafka()));
    check
        .is(Verdict.INCONCLUSIVE)
        .because(FindingCode.COVERAGE_INCOMPLETE, FindingCode.COVERAGE_INCOMPLETE);
    assertThat(check.report().reasons().get(0).samples().toString()).contains(skipped);
  }

  @Test
  void sampleIsCountedOnceMoreAndAgrees() {
    rig.copy();
    VerdictReport report = reconcile().is(Verdict.CLEARED).report();
    assertThat(report.coverage().orElseThrow().recounts())
        .hasSize(20)
        .allMatch(VerdictReport.Recount::agrees)
        .anyMatch(recount -> recount.found().records() > 0)
        .allMatch(recount -> recount.recounted().isPresent());
  }

  // ---- the folder

  @Test
  void copyThatIsNotCompleteIsInconclusive() {
    rig.line().pin();
    reconcile().is(Verdict.INCONCLUSIVE).because(FindingCode.COPY_UNFINISHED);
  }

  @Test
  void witnessThatWasChangedIsNotUsed() {
    rig.copy();
    rig.files().corruptWitness();
    reconcile().tells(rig.truth()).is(Verdict.CLEARED).finds(FindingCode.WITNESS_UNUSABLE, 1);
    reconcile(witness()).is(Verdict.INCONCLUSIVE).because(FindingCode.WITNESS_UNUSABLE);
  }

  @Test
  void witnessServesWithoutAnyReadOfTheStream() {
    rig.copy();
    rig.kinesis().clearCalls();
    VerdictReport report = reconcile(witness()).tells(rig.truth()).is(Verdict.CLEARED).report();
    assertThat(report.windows()).allMatch(window -> window.evidence().reread() == 0);
    assertThat(rig.kinesis().calls()).noneMatch(call -> call.action().equals("GetRecords"));

    dropFirst(other, 2);
    reconcile(witness())
        .tells(rig.truth())
        .is(Verdict.MISMATCH)
        .because(FindingCode.RECORDS_MISSING);
  }

  // ---- the topic

  @Test
  void openTransactionIsInconclusiveAndItsProducerNamed() {
    rig.copy();
    TopicDraft draft = new TopicDraft(rig.topic(), rig.surgeon().contents());
    try (var open =
        rig.surgeon().leaveOpen("somebody-else", List.of(draft.foreign(0, 0, "under way")))) {
      VerdictReport report =
          reconcile(option("reconcile.open-transaction-timeout", "2 s"))
              .is(Verdict.INCONCLUSIVE)
              .because(FindingCode.OPEN_TRANSACTION)
              .report();
      assertThat(report.reasons().get(0).samples().toString())
          .contains("somebody-else", "partition 0", "producer ");
    }
    reconcile().tells(rig.truth()).is(Verdict.CLEARED);
  }

  @Test
  void openTransactionThatEndsInTimeIsWaitedFor() {
    rig.copy();
    TopicDraft draft = new TopicDraft(rig.topic(), rig.surgeon().contents());
    long late = rig.t().plus(STEP).toEpochMilli();
    try (var open =
        rig.surgeon().leaveOpen("somebody-else", List.of(draft.foreign(0, late, "live")))) {
      CompletableFuture<VerdictCheck> waiting = CompletableFuture.supplyAsync(this::reconcile);
      await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(20))
          .until(() -> !waiting.isDone());
      open.commit();
      waiting.join().is(Verdict.CLEARED).finds(FindingCode.LIVE_RECORDS, 1);
    }
  }

  @Test
  void topicWithMorePartitionsIsInconclusive() {
    rig.copy();
    rig.line().addPartitions(PARTITIONS + 1);
    reconcile().is(Verdict.INCONCLUSIVE).because(FindingCode.TOPIC_REPARTITIONED);
  }

  @Test
  void topicThatIsGoneIsInconclusive() {
    rig.copy();
    rig.line().deleteTopic();
    VerdictReport report =
        reconcile().is(Verdict.INCONCLUSIVE).because(FindingCode.READ_FAILED).report();
    assertThat(report.findings().toString()).contains("TOPIC_MISSING");
  }

  @Test
  void brokerThatStampsTheRecordsAltersThemAll() {
    rig.copy();
    rig.surgeon().configure("message.timestamp.type", "LogAppendTime");
    rig.heal();
    Truth truth = rig.truth();
    reconcile()
        .tells(truth)
        .is(Verdict.MISMATCH)
        .because(FindingCode.RECORDS_ALTERED)
        .finds(FindingCode.LOG_APPEND_TIME, truth.altered().size());
  }

  @Test
  void segmentThatRetentionDeletedIsMissed() {
    rig.copy();
    rig.surgeon().configure("retention.ms", "3600000");
    rig.surgeon().loseHead(0, 20);
    Truth truth = rig.truth();
    assertThat(truth.missing()).isNotEmpty();
    reconcile()
        .is(Verdict.MISMATCH)
        .because(FindingCode.RECORDS_MISSING)
        .finds(FindingCode.LOG_START_MOVED, 1)
        .finds(FindingCode.RETENTION_SHORT, 1);
  }

  // ---- the question

  @Test
  void spotCheckComparesItsWindowsOnlyAndNeverClears() {
    rig.copy();
    Instant from = rig.t().minus(DAY.multipliedBy(2));
    Instant to = rig.t().minus(DAY);
    String[] spot = {
      "-D", "reconcile.from=" + from.plusSeconds(100), "-D", "reconcile.to=" + to.minusSeconds(100)
    };
    reconcile(spot)
        .tells(rig.truth(rig.terms().between(from, to)))
        .is(Verdict.PARTIAL)
        .because(FindingCode.WINDOW_NARROWED);

    dropFirst(split, 1);
    reconcile(spot).is(Verdict.PARTIAL);
    dropFirst(other, 1);
    reconcile(spot)
        .tells(rig.truth(rig.terms().between(from, to)))
        .is(Verdict.MISMATCH)
        .because(FindingCode.RECORDS_MISSING);
  }

  @Test
  void pinOfANarrowerWindowNeverClears() {
    rig.line().set("pin.window-hours", "24");
    rig.copy();
    reconcile().is(Verdict.PARTIAL).because(FindingCode.WINDOW_NARROWED);
  }

  @Test
  void spanThatHoldsNothingIsRefused() {
    rig.copy();
    assertThat(rig.reconcile(option("reconcile.from", rig.t())).code()).isEqualTo(64);
    assertThat(rig.reconcile(option("reconcile.to", rig.t().plusSeconds(1))).code()).isEqualTo(64);
  }

  @Test
  void toleranceIsHeldInTotalAndInEachWindow() {
    Instant crowded = rig.t().minus(Duration.ofMinutes(90));
    for (int i = 0; i < 40; i++) {
      rig.producer()
          .put(
              other,
              Optional.of("key-" + i % 7),
              ("crowd " + i).getBytes(StandardCharsets.UTF_8),
              crowded.plusSeconds(i));
    }
    rig.copy();
    List<Written> crowd =
        rig.copiedOf(other).stream().filter(one -> !one.arrival().isBefore(crowded)).toList();
    String[] tolerant = {"-D", "reconcile.require=tolerance", "-D", "tolerance.floor=3"};

    rig.surgeon()
        .operate(
            draft -> {
              draft.drop(crowd.get(0).origin());
              draft.drop(crowd.get(1).origin());
              draft.twice(crowd.get(2).origin());
            });
    Truth inside = rig.truth(rig.terms().tolerating(3, 200));
    assertThat(inside.cleared()).isTrue();
    reconcile(tolerant)
        .tells(inside)
        .is(Verdict.CLEARED)
        .finds(FindingCode.DIFFERENCES_TOLERATED, 3);
    reconcile().is(Verdict.MISMATCH);

    // One more: two missing and two extra are four, not none.
    rig.surgeon().operate(draft -> draft.twice(crowd.get(3).origin()));
    Truth outside = rig.truth(rig.terms().tolerating(3, 200));
    assertThat(outside.cleared()).isFalse();
    reconcile(tolerant).tells(outside).is(Verdict.MISMATCH);
  }

  /** In its window the floor would cover it, but the window is empty then. */
  @Test
  void toleranceNeverCoversAWindowThatIsEmptyOnOneSide() {
    rig.producer().put(other, "alone", "the only one of its window", rig.t().minusSeconds(60));
    rig.copy();
    Written alone = rig.copiedOf(other).get(60);
    rig.surgeon().operate(draft -> draft.drop(alone.origin()));
    reconcile("-D", "reconcile.require=tolerance")
        .tells(rig.truth(rig.terms().tolerating(5, 200)))
        .is(Verdict.MISMATCH)
        .because(FindingCode.RECORDS_MISSING);
  }

  @Test
  void toleranceNeverCoversAnAlteredRecord() {
    rig.copy();
    rig.surgeon()
        .operate(
            draft -> draft.alter(rig.copiedOf(other).get(3).origin(), TopicDraft.bitFlipped()));
    reconcile("-D", "reconcile.require=tolerance")
        .is(Verdict.MISMATCH)
        .because(FindingCode.RECORDS_ALTERED);
  }

  // ---- again and again

  @Test
  void eachRunLeavesItsVerdictAndNothingElse() {
    rig.copy();
    reconcile().is(Verdict.CLEARED);
    CompletableFuture<Integer> beside =
        CompletableFuture.supplyAsync(() -> new ReconcileJob().run(new StringBuilder(), line()));
    new ReconcileJob().run(new StringBuilder(), line());
    assertThat(beside.join()).isZero();
    assertThat(dir.toFile().list())
        .filteredOn(name -> name.matches("verdict-[0-9T.]+Z-[0-9a-f]{8}[.]json"))
        .hasSize(3);
    assertThat(dir.toFile().list())
        // The backfill's claim goes when its JobManager ends, perhaps a moment later.
        .filteredOn(name -> !name.startsWith("verdict-") && !name.equals("running.json"))
        .containsExactlyInAnyOrder(
            "pin.json",
            "backfill-report.json",
            "witness.jsonl",
            "verdict.json",
            "verdict.html",
            "differences.jsonl");
  }

  private String[] line() {
    return rig.line().line("reconcile").toArray(String[]::new);
  }
}
