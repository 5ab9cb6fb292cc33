package io.cutover.source;

import static io.cutover.source.Given.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregated;
import io.cutover.kpl.Deaggregated.Kind;
import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.Boundary;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.Shard;
import io.cutover.source.ReaderEvent.ReaderRestored;
import io.cutover.source.ReaderEvent.ShardsCovered;
import io.cutover.source.ReaderEvent.ShardsEnded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LineageReaderTest {

  private static final Shard A = Given.shard("a");
  private static final Shard B = Given.shard("b");
  private static final ShardSplit A_ENDED = ended(A, EndReason.CLOSED);

  private final FakeSplitReader splits = new FakeSplitReader();
  private final FakeReaderContext context = new FakeReaderContext();
  private final Output output = new Output();
  private final LineageReader reader =
      new LineageReader(
          () -> splits,
          new ShardEmitter(new Boundary(NOW, Duration.ZERO)),
          new Configuration(),
          context);

  private static final class Output implements ReaderOutput<LineageOutput> {
    final List<LineageOutput> outputs = new ArrayList<>();

    @Override
    public void collect(LineageOutput out) {
      outputs.add(out);
    }

    @Override
    public void collect(LineageOutput out, long timestamp) {
      outputs.add(out);
    }

    @Override
    public void emitWatermark(Watermark watermark) {}

    @Override
    public void markIdle() {}

    @Override
    public void markActive() {}

    @Override
    public SourceOutput<LineageOutput> createOutputForSplit(String splitId) {
      return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {}
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
  }

  private static ShardSplit ended(Shard shard, EndReason reason) {
    ShardProgress progress = new ShardProgress(ShardSplit.toRead(shard));
    progress.ended(reason);
    return progress.split();
  }

  private static ShardItem item(Shard shard, String sequence) {
    long arrival = NOW.minusSeconds(5).toEpochMilli();
    UserRecord user =
        new UserRecord(
            new Origin(shard.id(), sequence, OptionalInt.empty()),
            Optional.of("key"),
            Optional.empty(),
            arrival,
            new byte[1]);
    return new ShardItem.Passed(
        new KinesisRecord(sequence, Optional.of("key"), arrival, new byte[1]),
        new Deaggregated(List.of(user), Kind.PLAIN, 0));
  }

  private void pollUntil(BooleanSupplier holds) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      if (reader.pollNext(output) == InputStatus.NOTHING_AVAILABLE) {
        reader.isAvailable().get(30, TimeUnit.SECONDS);
      }
    }
  }

  private boolean said(ReaderEvent event) {
    return context.events.contains(event);
  }

  private void readToTheEnd(Shard shard) throws Exception {
    reader.addSplits(List.of(ShardSplit.toRead(shard)));
    splits.page(shard.id(), true, new ShardItem.End(EndReason.CLOSED));
    pollUntil(() -> said(new ShardsEnded(Map.of(shard.id(), EndReason.CLOSED))));
  }

  @Test
  void freshReaderSaysThatNothingWasRestored() {
    reader.start();
    assertThat(context.events).containsExactly(new ReaderRestored(0));
  }

  @Test
  void recordsAreEmittedAndThePositionIsInTheState() throws Exception {
    reader.start();
    reader.addSplits(List.of(ShardSplit.toRead(A)));
    splits.page("a", false, item(A, "1"), item(A, "2"));
    pollUntil(() -> output.outputs.size() == 2);
    assertThat(reader.snapshotState(1))
        .singleElement()
        .satisfies(
            split -> {
              assertThat(split.stage()).isEqualTo(ShardSplit.Stage.READ);
              assertThat(split.ledger().last()).map(Mark::sequenceNumber).contains("2");
              assertThat(split.ledger().records()).isEqualTo(2);
            });
  }

  @Test
  void snapshotBetweenTwoRecordsOfAPageStandsBetweenThem() throws Exception {
    reader.start();
    reader.addSplits(List.of(ShardSplit.toRead(A)));
    splits.page("a", false, item(A, "1"), item(A, "2"));
    pollUntil(() -> output.outputs.size() == 1);
    assertThat(reader.snapshotState(1))
        .singleElement()
        .satisfies(s -> assertThat(s.ledger().last()).map(Mark::sequenceNumber).contains("1"));
  }

  @Test
  void endedShardStaysInTheStateForGood() throws Exception {
    reader.start();
    readToTheEnd(A);
    for (long checkpoint = 1; checkpoint < 4; checkpoint++) {
      assertThat(reader.snapshotState(checkpoint)).containsExactly(A_ENDED);
      reader.notifyCheckpointComplete(checkpoint);
    }
  }

  @Test
  void snapshotBetweenTheEndAndItsReportHoldsTheEnd() throws Exception {
    reader.start();
    reader.addSplits(List.of(ShardSplit.toRead(A)));
    splits.page("a", true, new ShardItem.End(EndReason.CLOSED));
    pollUntil(() -> !output.outputs.isEmpty());
    assertThat(reader.snapshotState(1)).containsExactly(A_ENDED);
  }

  @Test
  void endIsCoveredOnlyByACompletedCheckpointThatHeldIt() throws Exception {
    reader.start();
    reader.snapshotState(1);
    readToTheEnd(A);
    reader.notifyCheckpointComplete(1);
    assertThat(said(new ShardsCovered(Map.of("a", EndReason.CLOSED)))).isFalse();
    reader.snapshotState(2);
    assertThat(said(new ShardsCovered(Map.of("a", EndReason.CLOSED)))).isFalse();
    reader.notifyCheckpointComplete(2);
    assertThat(said(new ShardsCovered(Map.of("a", EndReason.CLOSED)))).isTrue();
  }

  @Test
  void abortedCheckpointCoversNothing() throws Exception {
    reader.start();
    readToTheEnd(A);
    reader.snapshotState(1);
    reader.notifyCheckpointAborted(1);
    assertThat(context.events).noneMatch(ShardsCovered.class::isInstance);
    reader.snapshotState(2);
    reader.notifyCheckpointComplete(2);
    assertThat(said(new ShardsCovered(Map.of("a", EndReason.CLOSED)))).isTrue();
  }

  @Test
  void laterCheckpointCoversWhatAMissedNoticeHeld() throws Exception {
    reader.start();
    readToTheEnd(A);
    reader.snapshotState(1);
    readToTheEnd(B);
    reader.snapshotState(2);
    reader.notifyCheckpointComplete(2);
    assertThat(said(new ShardsCovered(Map.of("a", EndReason.CLOSED, "b", EndReason.CLOSED))))
        .isTrue();
  }

  @Test
  void coverIsSaidOnce() throws Exception {
    reader.start();
    readToTheEnd(A);
    reader.snapshotState(1);
    reader.notifyCheckpointComplete(1);
    reader.snapshotState(2);
    reader.notifyCheckpointComplete(2);
    assertThat(context.events).filteredOn(ShardsCovered.class::isInstance).hasSize(1);
  }

  @Test
  void coverIsSaidOnceThoughTwoCheckpointsWereUnderWay() throws Exception {
    reader.start();
    readToTheEnd(A);
    reader.snapshotState(1);
    reader.snapshotState(2);
    reader.notifyCheckpointComplete(1);
    reader.notifyCheckpointComplete(2);
    assertThat(context.events).filteredOn(ShardsCovered.class::isInstance).hasSize(1);
  }

  @Test
  void restoredEndedShardIsReportedAsCoveredAndNeverRead() throws Exception {
    reader.addSplits(List.of(A_ENDED, ShardSplit.toRead(B)));
    reader.start();
    assertThat(context.events)
        .containsExactly(new ReaderRestored(1), new ShardsCovered(Map.of("a", EndReason.CLOSED)));
    splits.page("b", false, item(B, "1"));
    pollUntil(() -> output.outputs.size() == 1);
    assertThat(splits.added()).containsExactly(ShardSplit.toRead(B));
    assertThat(reader.snapshotState(1)).hasSize(2).contains(A_ENDED);
  }

  @Test
  void lastWordIsSaidOnceAndOnlyWhenNoMoreShardsCome() throws Exception {
    reader.start();
    readToTheEnd(A);
    assertThat(output.outputs).noneMatch(LineageOutput.SubtaskDone.class::isInstance);
    reader.handleSourceEvents(new ReaderEvent.Admitted("found"));
    reader.notifyNoMoreSplits();
    pollUntil(() -> output.outputs.contains(new LineageOutput.SubtaskDone(1, 3, "found")));
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.END_OF_INPUT);
    assertThat(output.outputs).filteredOn(LineageOutput.SubtaskDone.class::isInstance).hasSize(1);
    assertThat(output.outputs).last().isEqualTo(new LineageOutput.SubtaskDone(1, 3, "found"));
  }

  @Test
  void readerThatGotNoShardSaysItsLastWordToo() throws Exception {
    reader.start();
    reader.handleSourceEvents(new ReaderEvent.Admitted("found"));
    reader.notifyNoMoreSplits();
    pollUntil(() -> output.outputs.contains(new LineageOutput.SubtaskDone(1, 3, "found")));
  }
}
