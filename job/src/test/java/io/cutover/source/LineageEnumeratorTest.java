package io.cutover.source;

import static io.cutover.lineage.EndReason.BOUNDARY;
import static io.cutover.lineage.EndReason.CLOSED;
import static io.cutover.lineage.EndReason.TIP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.KinesisStream;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.LineageTracker;
import io.cutover.lineage.ReleasePolicy;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.source.ReaderEvent.ReaderRestored;
import io.cutover.source.ReaderEvent.ShardsCovered;
import io.cutover.source.ReaderEvent.ShardsEnded;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LineageEnumeratorTest {

  private static final String FIRST = "shardId-000000000000";
  private static final String SECOND = "shardId-000000000001";

  private static KinesisEmulator kinesis;
  private static KinesisStream door;

  private final FakeEnumeratorContext context = new FakeEnumeratorContext(2);
  private final Configuration config = new Configuration();
  private ReadStart start = ReadStart.TRIM_HORIZON;
  private EmulatedStream stream;
  private LineageEnumerator enumerator;

  @BeforeAll
  static void startKinesis() {
    kinesis = KinesisEmulator.start();
    Configuration local = new Configuration();
    local.set(KinesisOptions.STREAM, "orders");
    local.set(KinesisOptions.ENDPOINT, kinesis.endpoint().toString());
    local.set(KinesisOptions.REGION, "us-east-1");
    local.set(KinesisOptions.CREDENTIALS_PROVIDER, KinesisOptions.CredentialsProvider.BASIC);
    local.set(KinesisOptions.ACCESS_KEY_ID, "local");
    local.set(KinesisOptions.SECRET_KEY, "local");
    door = new KinesisStream(local, 1);
  }

  @AfterAll
  static void stopKinesis() {
    door.close();
    kinesis.close();
  }

  @BeforeEach
  void createStream() {
    stream = kinesis.createStream("orders", 2);
  }

  @AfterEach
  void deleteStream() {
    kinesis.faults().clear();
    kinesis.clearCalls();
    kinesis.deleteStream("orders");
  }

  private LineageEnumerator enumerator(
      ReleasePolicy policy,
      LineageTracker tracker,
      Admission admission,
      Optional<String> admitted) {
    return new LineageEnumerator(
        "copy", context, door, config, start, policy, tracker, admission, admitted);
  }

  private void start(ReleasePolicy policy) {
    enumerator =
        enumerator(policy, new LineageTracker(policy), Admission.UNCONDITIONAL, Optional.empty());
    enumerator.start();
    context.runCalls();
  }

  private void register(int... subtasks) {
    for (int subtask : subtasks) {
      context.register(subtask);
      enumerator.addReader(subtask);
      enumerator.handleSourceEvent(subtask, new ReaderRestored(0));
    }
    context.runCalls();
  }

  private void ended(int subtask, String id, EndReason reason) {
    enumerator.handleSourceEvent(subtask, new ShardsEnded(Map.of(id, reason)));
    context.runCalls();
  }

  private void covered(int subtask, String id, EndReason reason) {
    enumerator.handleSourceEvent(subtask, new ShardsCovered(Map.of(id, reason)));
    context.runCalls();
  }

  private void bothCovered() {
    ended(0, FIRST, BOUNDARY);
    ended(1, SECOND, BOUNDARY);
    covered(0, FIRST, BOUNDARY);
    covered(1, SECOND, BOUNDARY);
  }

  private long listings() {
    return kinesis.calls().stream().map(Call::action).filter("ListShards"::equals).count();
  }

  // ---- giving out

  @Test
  void nothingIsAssignedBeforeAllReadersAreRegistered() {
    start(ReleasePolicy.ORDERED);
    register(0);
    assertThat(context.assigned).isEmpty();
    register(1);
    assertThat(context.assigned).containsOnly(Map.entry(FIRST, 0), Map.entry(SECOND, 1));
  }

  /** In batch, a reader may wait for a slot that another holds until it is told that it is done. */
  @Test
  void withoutOrderTheReadersThatAreThereBeginAfterAWhile() {
    start(ReleasePolicy.UNORDERED);
    register(1);
    assertThat(context.assigned).isEmpty();
    context.tick();
    assertThat(context.assigned).containsOnly(Map.entry(FIRST, 1), Map.entry(SECOND, 1));
  }

  @Test
  void inOrderNobodyBeginsBeforeAllReadersAreRegisteredHoweverLongItTakes() {
    start(ReleasePolicy.ORDERED);
    register(1);
    context.tick();
    context.runCalls();
    assertThat(context.assigned).isEmpty();
  }

  @Test
  void nothingIsAssignedBeforeTheChecksOfAFreshStartHavePassed() {
    enumerator =
        enumerator(
            ReleasePolicy.ORDERED,
            new LineageTracker(ReleasePolicy.ORDERED),
            Admission.UNCONDITIONAL,
            Optional.empty());
    enumerator.start();
    context.register(0);
    context.register(1);
    enumerator.addReader(0);
    enumerator.addReader(1);
    context.tick(); // runs the checks as well; no listing was begun before them
    assertThat(listings()).isEqualTo(1);
    assertThat(context.assigned).hasSize(2);
    assertThat(enumerator.snapshotState(1).admitted()).contains("");
    assertThat(enumerator.snapshotState(1).identity()).isEqualTo("copy");
  }

  @Test
  void childGoesWhereItsParentEndedAtOnceAndElsewhereWhenItIsCovered() {
    stream.split(FIRST);
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    assertThat(context.assigned).hasSize(2);
    ended(0, FIRST, CLOSED);
    // The one subtask takes one more than the other, the rest waits until it is covered.
    assertThat(context.assigned)
        .containsEntry("shardId-000000000002", 0)
        .containsEntry("shardId-000000000003", 0);
  }

  @Test
  void shardWhoseParentsAreListedIsReadFromItsBirth() {
    stream.split(FIRST);
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    ended(0, FIRST, CLOSED);
    assertThat(context.splits.get(FIRST).stage()).isEqualTo(ShardSplit.Stage.READ);
    assertThat(context.splits.get("shardId-000000000002").stage())
        .isEqualTo(ShardSplit.Stage.READ_FROM_BIRTH);
  }

  @Test
  void noShardIsReadFromItsBirthWhereReadingBeginsAtAnInstant() {
    start = ReadStart.at(Instant.now().minusSeconds(60));
    stream.split(FIRST);
    start(ReleasePolicy.UNORDERED);
    register(0, 1);
    assertThat(context.splits)
        .hasSize(4)
        .allSatisfy((id, split) -> assertThat(split.stage()).isEqualTo(ShardSplit.Stage.READ));
  }

  @Test
  void shardBehindTheBoundaryIsGivenOutToBeSkipped() {
    stream.split(FIRST);
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    ended(0, FIRST, BOUNDARY);
    assertThat(context.splits.get("shardId-000000000002").stage()).isEqualTo(ShardSplit.Stage.SKIP);
    assertThat(context.splits.get("shardId-000000000003").stage()).isEqualTo(ShardSplit.Stage.SKIP);
  }

  @Test
  void childrenThatAppearLaterAreFoundAtTheClosedEnd() {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    stream.split(FIRST);
    ended(0, FIRST, CLOSED);
    assertThat(context.assigned).containsKey("shardId-000000000002");
  }

  @Test
  void childrenThatAreNotListedYetAreAskedForAgain() {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    ended(0, FIRST, CLOSED); // the server says so before the listing does
    assertThat(context.assigned).hasSize(2);
    stream.split(FIRST);
    context.tick();
    assertThat(context.assigned).containsKey("shardId-000000000002");
  }

  @Test
  void nothingIsListedWhileNothingIsAwaited() {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    context.tick();
    context.tick();
    assertThat(listings()).isEqualTo(1);
  }

  @Test
  void givenBackShardIsGivenOutAgainWhenItsSubtaskIsBack() {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    ShardSplit lost = context.splits.get(FIRST);
    context.assigned.clear();
    context.unregister(0);
    enumerator.addSplitsBack(List.of(lost), 0);
    assertThat(context.assigned).isEmpty();
    register(0);
    assertThat(context.assigned).containsOnly(Map.entry(FIRST, 0));
  }

  @Test
  void shardsRestoredWithAReaderCountAsItsLoad() {
    enumerator =
        enumerator(
            ReleasePolicy.ORDERED,
            new LineageTracker(ReleasePolicy.ORDERED),
            Admission.UNCONDITIONAL,
            Optional.of("found"));
    enumerator.start();
    context.register(0);
    context.register(1);
    enumerator.addReader(0);
    enumerator.handleSourceEvent(0, new ReaderRestored(5));
    enumerator.addReader(1);
    context.runCalls();
    assertThat(context.assigned).containsOnly(Map.entry(FIRST, 1), Map.entry(SECOND, 1));
  }

  // ---- the end

  @Test
  void noMoreSplitsIsSaidOnlyAfterACheckpointBegunWhenAllWasCovered() throws Exception {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    enumerator.snapshotState(1);
    bothCovered();
    enumerator.notifyCheckpointComplete(1);
    assertThat(context.noMoreSplits).isEmpty();
    enumerator.snapshotState(2);
    assertThat(context.noMoreSplits).isEmpty();
    enumerator.notifyCheckpointComplete(2);
    assertThat(context.noMoreSplits).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void lateNoticeOfAnEarlierCheckpointEndsNothing() throws Exception {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    enumerator.snapshotState(1);
    bothCovered();
    enumerator.snapshotState(2);
    enumerator.notifyCheckpointComplete(1);
    assertThat(context.noMoreSplits).isEmpty();
    enumerator.notifyCheckpointComplete(2);
    assertThat(context.noMoreSplits).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void checkpointBehindAnAbortedOneEndsItAsWell() throws Exception {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    bothCovered();
    enumerator.snapshotState(1);
    enumerator.notifyCheckpointAborted(1);
    enumerator.snapshotState(2);
    enumerator.notifyCheckpointComplete(2);
    assertThat(context.noMoreSplits).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void reRegisteredReaderIsToldAgainThatNoMoreCome() throws Exception {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    bothCovered();
    enumerator.snapshotState(1);
    enumerator.notifyCheckpointComplete(1);
    context.noMoreSplits.clear();
    register(1);
    assertThat(context.noMoreSplits).containsExactly(1);
  }

  @Test
  void lossBeforeTheEndAsksForAnotherCheckpoint() throws Exception {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    bothCovered();
    enumerator.snapshotState(1);
    context.unregister(0);
    enumerator.addSplitsBack(List.of(), 0);
    enumerator.notifyCheckpointComplete(1);
    assertThat(context.noMoreSplits).isEmpty();
    register(0);
    covered(0, FIRST, BOUNDARY);
    enumerator.snapshotState(2);
    enumerator.notifyCheckpointComplete(2);
    assertThat(context.noMoreSplits).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void openTipIsBelievedOnlyAfterAListingBegunBehindIt() throws Exception {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    enumerator.handleSourceEvent(0, new ShardsEnded(Map.of(FIRST, TIP)));
    enumerator.handleSourceEvent(1, new ShardsEnded(Map.of(SECOND, TIP)));
    enumerator.handleSourceEvent(0, new ShardsCovered(Map.of(FIRST, TIP)));
    enumerator.handleSourceEvent(1, new ShardsCovered(Map.of(SECOND, TIP)));
    enumerator.snapshotState(1); // the listing is still under way
    enumerator.notifyCheckpointComplete(1);
    assertThat(context.callsUnderWay()).isEqualTo(1);
    assertThat(context.noMoreSplits).isEmpty();
    context.runCalls();
    enumerator.snapshotState(2);
    enumerator.notifyCheckpointComplete(2);
    assertThat(context.noMoreSplits).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void unorderedEndsWithoutACheckpoint() {
    start(ReleasePolicy.UNORDERED);
    register(0, 1);
    ended(0, FIRST, BOUNDARY);
    assertThat(context.noMoreSplits).isEmpty();
    ended(1, SECOND, BOUNDARY);
    assertThat(context.noMoreSplits).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void whatIsLostAfterTheEndGoesOnlyToTheSubtaskThatLostIt() {
    start(ReleasePolicy.UNORDERED);
    register(0, 1);
    ended(0, FIRST, BOUNDARY);
    ended(1, SECOND, BOUNDARY);
    ShardSplit lost = context.splits.get(SECOND);
    context.assigned.clear();
    context.noMoreSplits.clear();
    context.unregister(1);
    enumerator.addSplitsBack(List.of(lost), 1);
    register(1);
    // Subtask 0 is idle, but has finished: it would never read it.
    assertThat(context.assigned).containsOnly(Map.entry(SECOND, 1));
    assertThat(context.noMoreSplits).isEmpty();
    ended(1, SECOND, BOUNDARY);
    assertThat(context.noMoreSplits).contains(1);
  }

  // ---- backlog

  @Test
  void backlogIsReportedWhileShardsAreReadAndNotWhileTheyWaitForACheckpoint() {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    assertThat(context.backlog).last().isEqualTo(true);
    ended(0, FIRST, BOUNDARY);
    assertThat(context.backlog).last().isEqualTo(true);
    ended(1, SECOND, BOUNDARY);
    assertThat(context.backlog).last().isEqualTo(false);
    assertThat(context.backlog.get(0)).isTrue();
  }

  @Test
  void unorderedReportsNoBacklog() {
    start(ReleasePolicy.UNORDERED);
    register(0, 1);
    assertThat(context.backlog).isEmpty();
  }

  // ---- restore

  @Test
  void restoredEnumeratorAsksNothingOfAFreshStart() {
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    ended(0, FIRST, BOUNDARY);
    LineageState state = enumerator.snapshotState(1);
    context.assigned.clear();
    enumerator =
        enumerator(
            ReleasePolicy.ORDERED,
            LineageTracker.restored(ReleasePolicy.ORDERED, state.lineage(), state.statuses()),
            new Refusing(),
            state.admitted());
    enumerator.start();
    context.runCalls();
    register(0, 1);
    assertThat(context.assigned).isEmpty(); // one is read by its reader, the other has ended
  }

  private static final class Refusing implements Admission {
    private static final long serialVersionUID = 1L;

    @Override
    public void beforeTasks(boolean anew) {
      throw new Refusal(io.cutover.Reason.COPY_BEGUN, "no tasks");
    }

    @Override
    public String beforeFirstShard() {
      throw new Refusal(io.cutover.Reason.COPY_BEGUN, "no shard");
    }

    @Override
    public void afterRestore() {}

    @Override
    public void stillOn() {}

    @Override
    public void over() {}
  }

  // ---- failures

  @Test
  void refusedFreshStartFailsWithoutARestart() {
    enumerator =
        enumerator(
            ReleasePolicy.ORDERED,
            new LineageTracker(ReleasePolicy.ORDERED),
            new Refusing(),
            Optional.empty());
    enumerator.start();
    assertThatThrownBy(context::runCalls)
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("no shard [COPY_BEGUN]");
  }

  @Test
  void failedListingIsTriedAgain() {
    kinesis.faults().on("ListShards").times(2).internalFailure();
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    assertThat(context.assigned).isEmpty();
    context.tick();
    context.tick();
    assertThat(context.assigned).hasSize(2);
  }

  @Test
  void throttledListingIsTriedAgainWithoutEnd() {
    config.set(SourceOptions.RETRY_TIMEOUT, Duration.ZERO);
    kinesis.faults().on("ListShards").times(3).limitExceeded();
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    context.tick();
    context.tick();
    context.tick();
    assertThat(context.assigned).hasSize(2);
  }

  @Test
  void listingThatFailsForTooLongFailsTheJob() {
    config.set(SourceOptions.RETRY_TIMEOUT, Duration.ZERO);
    kinesis.faults().on("ListShards").internalFailure();
    assertThatThrownBy(() -> start(ReleasePolicy.ORDERED))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("TRANSIENT");
  }

  @Test
  void listingThatIsDeniedFailsTheJob() {
    kinesis.faults().on("ListShards").refuse("AccessDeniedException", 400);
    assertThatThrownBy(() -> start(ReleasePolicy.ORDERED))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("DENIED");
  }

  @Test
  void vanishedShardThatWasStillToBeReadFailsWithoutARestart() {
    stream.split(FIRST);
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    stream.vanish("shardId-000000000002");
    assertThatThrownBy(() -> ended(1, SECOND, TIP))
        .isInstanceOf(SuppressRestartsException.class)
        .rootCause()
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("shardId-000000000002");
  }

  @Test
  void childrenThatNeverShowFailWithoutARestart() {
    config.set(SourceOptions.CHILDREN_TIMEOUT, Duration.ZERO);
    start(ReleasePolicy.ORDERED);
    register(0, 1);
    assertThatThrownBy(
            () -> {
              ended(0, FIRST, CLOSED);
              context.tick();
            })
        .isInstanceOf(SuppressRestartsException.class)
        .rootCause()
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(FIRST)
        .hasMessageContaining(SourceOptions.CHILDREN_TIMEOUT.key());
  }

  @Test
  void unknownEventIsRefused() {
    start(ReleasePolicy.ORDERED);
    SourceEvent unknown = new SourceEvent() {};
    assertThatThrownBy(() -> enumerator.handleSourceEvent(0, unknown))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("subtask 0");
  }

  @Test
  void shardsAreNotGivenOnRequest() {
    start(ReleasePolicy.ORDERED);
    assertThatThrownBy(() -> enumerator.handleSplitRequest(0, "localhost"))
        .isInstanceOf(IllegalStateException.class);
  }
}
