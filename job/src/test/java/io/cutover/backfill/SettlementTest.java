package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.BackfillOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.pin.Pins;
import io.cutover.report.BackfillReport;
import io.cutover.report.Ledgers;
import io.cutover.report.StartFacts;
import io.cutover.source.LineageOutput;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettlementTest {

  private static final LineageOutput DONE =
      new LineageOutput.SubtaskDone(0, 1, new StartFacts(0, Optional.empty(), List.of()).text());

  private static boolean recreated;

  @TempDir private Path dir;

  private TwoInputStreamOperatorTestHarness<Account, CommittableMessage<KafkaCommittable>, Void>
      harness() throws Exception {
    Configuration config = new Configuration();
    config.set(BackfillOptions.DIR, dir.toUri().toString());
    // No consumer can be made of these servers: reading back throws.
    config.set(KafkaOptions.BOOTSTRAP_SERVERS, "nowhere");
    return new TwoInputStreamOperatorTestHarness<>(
        new Settlement(
            new CopyTerms(Pins.any(), config),
            KafkaClientProperties.load(config),
            (Runnable & Serializable) SettlementTest::askStillPinned));
  }

  /** What the servers would be asked. */
  private static void askStillPinned() {
    if (recreated) {
      throw new Refusal(Reason.TOPIC_RECREATED, "another topic");
    }
  }

  @BeforeEach
  void pinnedOnesAreThere() {
    recreated = false;
  }

  private static void committed(
      TwoInputStreamOperatorTestHarness<?, CommittableMessage<KafkaCommittable>, ?> settlement,
      boolean dropped)
      throws Exception {
    KafkaCommittable transaction =
        new KafkaCommittable(dropped ? -1 : 7, (short) 0, "cutover-1", null);
    settlement.processElement2(new StreamRecord<>(new CommittableWithLineage<>(transaction, 1, 0)));
  }

  private static void endedWhole(TwoInputStreamOperatorTestHarness<Account, ?, ?> settlement)
      throws Exception {
    told(settlement, new LineageOutput.ShardEnded(Ledgers.FULL));
    told(settlement, new LineageOutput.ShardEnded(Ledgers.UNREAD));
    told(settlement, DONE);
    settlement.processElement1(new Account.Tallied(Ledgers.witnessOfFull()), 0);
  }

  private static void told(
      TwoInputStreamOperatorTestHarness<Account, ?, ?> settlement, LineageOutput end)
      throws Exception {
    settlement.processElement1(new Account.Told(end), 0);
  }

  private Optional<JsonNode> report() {
    return BackfillReport.in(new CutoverDir(dir.toUri().toString()));
  }

  @Test
  void reportIsWrittenWhenBothInputsHaveEnded() throws Exception {
    try (var settlement = harness()) {
      settlement.open();
      endedWhole(settlement);
      committed(settlement, false);
      settlement.endInput1();
      assertThat(report()).isEmpty();
      settlement.endInput2();
    }
    assertThat(report().orElseThrow().at("/run/readBack").asText()).isEqualTo("not needed");
    assertThat(report().orElseThrow().path("totals").path("records").asLong()).isEqualTo(10);
    assertThat(report().orElseThrow().path("shards")).hasSize(2);
  }

  @Test
  void drainedJobWritesNoReport() throws Exception {
    try (var settlement = harness()) {
      settlement.open();
      told(settlement, new LineageOutput.ShardEnded(Ledgers.FULL));
      settlement.endInput1();
      settlement.endInput2();
    }
    assertThat(report()).isEmpty();
  }

  @Test
  void droppedTransactionIsReadBackBeforeItIsReported() throws Exception {
    try (var settlement = harness()) {
      settlement.open();
      endedWhole(settlement);
      committed(settlement, true);
      settlement.endInput2();
      assertThatThrownBy(settlement::endInput1).isInstanceOf(KafkaException.class);
    }
    assertThat(report()).isEmpty();
  }

  @Test
  void suspicionOutlivesARestart() throws Exception {
    OperatorSubtaskState checkpoint;
    try (var settlement = harness()) {
      settlement.open();
      told(settlement, new LineageOutput.ShardEnded(Ledgers.FULL));
      committed(settlement, true);
      checkpoint = settlement.snapshot(1, 1);
    }
    try (var settlement = harness()) {
      settlement.initializeState(checkpoint);
      settlement.open();
      told(settlement, DONE);
      settlement.processElement1(new Account.Tallied(Ledgers.witnessOfFull()), 0);
      settlement.endInput1();
      assertThatThrownBy(settlement::endInput2).isInstanceOf(KafkaException.class);
    }
    assertThat(report()).isEmpty();
  }

  @Test
  void ledgersOutliveARestart() throws Exception {
    OperatorSubtaskState checkpoint;
    try (var settlement = harness()) {
      settlement.open();
      endedWhole(settlement);
      checkpoint = settlement.snapshot(1, 1);
    }
    try (var settlement = harness()) {
      settlement.initializeState(checkpoint);
      settlement.open();
      settlement.endInput1();
      settlement.endInput2();
    }
    assertThat(report().orElseThrow().path("shards")).hasSize(2);
  }

  @Test
  void topicThatWasMadeAnewIsNeverReportedAsHoldingTheCopy() throws Exception {
    recreated = true;
    try (var settlement = harness()) {
      settlement.open();
      endedWhole(settlement);
      settlement.endInput1();
      assertThatThrownBy(settlement::endInput2)
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseMessage("another topic [TOPIC_RECREATED]");
    }
    assertThat(report()).isEmpty();
  }

  @Test
  void witnessThatDoesNotAgreeWithTheLedgersEndsTheJob() throws Exception {
    try (var settlement = harness()) {
      settlement.open();
      endedWhole(settlement);
      settlement.processElement1(new Account.Tallied(Ledgers.witnessOfFull()), 0); // once too often
      settlement.endInput1();
      assertThatThrownBy(settlement::endInput2)
          .isInstanceOf(SuppressRestartsException.class)
          .rootCause()
          .hasMessageContaining("the ledger has 10 records of 1234 bytes, the witness 20 of 2468");
    }
    assertThat(report()).isEmpty();
  }
}
