package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import io.cutover.source.LineageOutput;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettlementTest {

  private static final Pin PIN = Pins.any();

  @TempDir private Path dir;

  private TwoInputStreamOperatorTestHarness<
          LineageOutput, CommittableMessage<KafkaCommittable>, Void>
      harness() throws Exception {
    // Without servers no consumer can be made: reading back would throw.
    return new TwoInputStreamOperatorTestHarness<>(
        new Settlement(PIN, dir.toUri().toString(), new Properties(), Duration.ZERO));
  }

  private static void committed(
      TwoInputStreamOperatorTestHarness<?, CommittableMessage<KafkaCommittable>, ?> settlement,
      boolean dropped)
      throws Exception {
    KafkaCommittable transaction =
        new KafkaCommittable(dropped ? -1 : 7, (short) 0, "cutover-1", null);
    settlement.processElement2(new StreamRecord<>(new CommittableWithLineage<>(transaction, 1, 0)));
  }

  private static void endedWhole(TwoInputStreamOperatorTestHarness<LineageOutput, ?, ?> settlement)
      throws Exception {
    settlement.processElement1(new LineageOutput.ShardEnded(Ledgers.FULL), 0);
    settlement.processElement1(new LineageOutput.ShardEnded(Ledgers.UNREAD), 0);
    settlement.processElement1(new LineageOutput.SubtaskDone(0, 1, "found"), 0);
  }

  private Optional<JsonNode> report() {
    return BackfillReport.in(dir.toUri().toString());
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
    assertThat(report().orElseThrow().path("readBack").asText()).isEqualTo("not needed");
    assertThat(report().orElseThrow().path("totals").path("records").asLong()).isEqualTo(10);
    assertThat(report().orElseThrow().path("shards")).hasSize(2);
  }

  @Test
  void drainedJobWritesNoReport() throws Exception {
    try (var settlement = harness()) {
      settlement.open();
      settlement.processElement1(new LineageOutput.ShardEnded(Ledgers.FULL), 0);
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
      assertThatThrownBy(settlement::endInput1).isInstanceOf(ConfigException.class);
    }
    assertThat(report()).isEmpty();
  }

  @Test
  void suspicionOutlivesARestart() throws Exception {
    OperatorSubtaskState checkpoint;
    try (var settlement = harness()) {
      settlement.open();
      settlement.processElement1(new LineageOutput.ShardEnded(Ledgers.FULL), 0);
      committed(settlement, true);
      checkpoint = settlement.snapshot(1, 1);
    }
    try (var settlement = harness()) {
      settlement.initializeState(checkpoint);
      settlement.open();
      settlement.processElement1(new LineageOutput.SubtaskDone(0, 1, "found"), 0);
      settlement.endInput1();
      assertThatThrownBy(settlement::endInput2).isInstanceOf(ConfigException.class);
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
}
