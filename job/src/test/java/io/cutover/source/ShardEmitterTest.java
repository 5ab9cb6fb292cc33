package io.cutover.source;

import static io.cutover.source.Given.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kinesis.Position;
import io.cutover.kpl.Deaggregated;
import io.cutover.kpl.Deaggregated.Kind;
import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.Boundary;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.SourceOutput;
import org.junit.jupiter.api.Test;

class ShardEmitterTest {

  private static final Instant T = NOW;
  private static final Shard SHARD = Given.shard("shard-1");

  private final ShardEmitter emitter = new ShardEmitter(new Boundary(T, Duration.ofSeconds(60)));
  private final ShardProgress progress = new ShardProgress(ShardSplit.toRead(SHARD));
  private final Emitted emitted = new Emitted();

  /** What came out, and where the position stood at that moment. */
  private final class Emitted implements SourceOutput<LineageOutput> {
    final List<LineageOutput> outputs = new ArrayList<>();
    final List<Long> timestamps = new ArrayList<>();
    final List<Position> positions = new ArrayList<>();

    @Override
    public void collect(LineageOutput output) {
      outputs.add(output);
      positions.add(progress.ledger().position(ReadStart.TRIM_HORIZON));
    }

    @Override
    public void collect(LineageOutput output, long timestamp) {
      timestamps.add(timestamp);
      collect(output);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void markIdle() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void markActive() {
      throw new UnsupportedOperationException();
    }
  }

  private void emit(ShardItem item) {
    emitter.emitRecord(item, emitted, progress);
  }

  private static ShardItem plain(String sequence, Instant arrival, int bytes) {
    return passed(sequence, arrival, Kind.PLAIN, bytes, 1, 0);
  }

  private static ShardItem passed(
      String sequence, Instant arrival, Kind kind, int bytes, int members, int outOfRange) {
    List<UserRecord> records = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      records.add(
          new UserRecord(
              new Origin(
                  SHARD.id(),
                  sequence,
                  kind == Kind.AGGREGATE ? OptionalInt.of(i) : OptionalInt.empty()),
              Optional.of("key"),
              Optional.empty(),
              arrival.toEpochMilli(),
              new byte[bytes]));
    }
    return new ShardItem.Passed(
        new KinesisRecord(sequence, Optional.of("a"), arrival.toEpochMilli(), new byte[0]),
        new Deaggregated(records, kind, outOfRange));
  }

  @Test
  void recordBeforeTheBoundaryIsEmittedWithItsArrival() {
    emit(plain("1", T.minusMillis(1), 10));
    assertThat(emitted.outputs).hasSize(1).allMatch(LineageOutput.Copied.class::isInstance);
    assertThat(emitted.timestamps).containsExactly(T.toEpochMilli() - 1);
  }

  @Test
  void recordAtTheBoundaryIsSkippedAndEntered() {
    emit(plain("1", T, 10));
    assertThat(emitted.outputs).isEmpty();
    ShardLedger ledger = progress.ledger();
    assertThat(ledger.skipped()).isEqualTo(1);
    assertThat(ledger.firstSkipped()).contains(new Mark("1", T.toEpochMilli()));
    assertThat(ledger.records()).isZero();
    assertThat(ledger.bytes()).isZero();
    assertThat(ledger.position(ReadStart.TRIM_HORIZON)).isEqualTo(new Position.AfterSequence("1"));
  }

  @Test
  void recordBehindASkippedOneIsCopied() {
    emit(plain("1", T.plusSeconds(1), 10));
    emit(plain("2", T.minusSeconds(1), 10));
    emit(plain("3", T.plusSeconds(2), 10));
    assertThat(emitted.outputs).hasSize(1);
    assertThat(progress.ledger().firstSkipped()).contains(mark("1", T.plusSeconds(1)));
    assertThat(progress.ledger().skipped()).isEqualTo(2);
  }

  @Test
  void aggregateIsEmittedWholeBeforeThePositionMoves() {
    emit(plain("1", T.minusSeconds(2), 1));
    emit(passed("2", T.minusSeconds(1), Kind.AGGREGATE, 3, 4, 0));
    assertThat(emitted.outputs).hasSize(5);
    assertThat(emitted.positions.subList(1, 5)).containsOnly(new Position.AfterSequence("1"));
    assertThat(progress.ledger().position(ReadStart.TRIM_HORIZON))
        .isEqualTo(new Position.AfterSequence("2"));
  }

  @Test
  void unreadShardStandsAtTheHorizon() {
    assertThat(progress.ledger()).isEqualTo(ShardLedger.unread(SHARD));
    assertThat(progress.ledger().position(ReadStart.TRIM_HORIZON))
        .isEqualTo(new Position.TrimHorizon());
    assertThat(progress.split()).isEqualTo(ShardSplit.toRead(SHARD));
  }

  @Test
  void endComesBehindTheRecordsWithTheLedger() {
    emit(plain("1", T.minusSeconds(1), 10));
    emit(new ShardItem.End(EndReason.CLOSED));
    assertThat(emitted.outputs).last().isEqualTo(new LineageOutput.ShardEnded(progress.ledger()));
    assertThat(progress.ledger().end()).contains(EndReason.CLOSED);
    assertThat(progress.split().stage()).isEqualTo(ShardSplit.Stage.ENDED);
  }

  @Test
  void tipMovesWhatIsCompleteButNotThePosition() {
    emit(plain("1", T.minusSeconds(10), 10));
    emit(new ShardItem.CaughtUp(T.toEpochMilli()));
    assertThat(progress.ledger().completeUpToMillis()).hasValue(T.toEpochMilli());
    emit(plain("2", T.minusSeconds(9), 10));
    assertThat(progress.ledger().completeUpToMillis()).hasValue(T.toEpochMilli());
    assertThat(progress.ledger().last()).contains(mark("2", T.minusSeconds(9)));
  }

  @Test
  void ledgerCountsWhatPassed() {
    emit(new ShardItem.PageRead(true, 1, 4, 5, OptionalLong.empty()));
    emit(new ShardItem.PageRead(false, 2, 0, 6, OptionalLong.of(7)));
    emit(plain("1", T.minusSeconds(5), 10));
    emit(passed("2", T.minusSeconds(4), Kind.AGGREGATE, 3, 4, 2));
    emit(passed("3", T.minusSeconds(3), Kind.MALFORMED, 7, 1, 0));
    emit(passed("4", T.plusSeconds(1), Kind.AGGREGATE, 100, 3, 1));
    emit(new ShardItem.End(EndReason.TIP));
    assertThat(progress.ledger())
        .isEqualTo(
            new ShardLedger(
                SHARD,
                Optional.of(mark("1", T.minusSeconds(5))),
                Optional.of(mark("4", T.plusSeconds(1))),
                Optional.of(mark("4", T.plusSeconds(1))),
                6,
                10 + 4 * 3 + 7,
                3,
                2,
                1,
                3,
                OptionalLong.of(T.plusSeconds(1).toEpochMilli()),
                Optional.of(EndReason.TIP),
                new ReadCost(2, 1, 3, 4, OptionalLong.of(5), OptionalLong.of(6))));
  }

  @Test
  void restoredProgressGoesOnWhereItsLedgerStood() {
    emit(plain("1", T.minusSeconds(5), 10));
    emit(plain("2", T.plusSeconds(5), 10));
    ShardProgress restored = new ShardProgress(progress.split());
    assertThat(restored.ledger()).isEqualTo(progress.ledger());
    emitter.emitRecord(plain("3", T.minusSeconds(1), 10), emitted, restored);
    assertThat(restored.ledger().first()).contains(mark("1", T.minusSeconds(5)));
    assertThat(restored.ledger().firstSkipped()).contains(mark("2", T.plusSeconds(5)));
    assertThat(restored.ledger().records()).isEqualTo(2);
    assertThat(restored.ledger().bytes()).isEqualTo(20);
  }

  private static Mark mark(String sequence, Instant arrival) {
    return new Mark(sequence, arrival.toEpochMilli());
  }
}
