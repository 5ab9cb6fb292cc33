package io.cutover.backfill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kafka.KafkaOptions.Key;
import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.pin.Pins;
import io.cutover.report.Ledgers;
import io.cutover.source.LineageOutput;
import io.cutover.tally.Tallier;
import io.cutover.tally.Tallies;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

class WitnessOperatorTest {

  private static final long T = Pins.any().boundary().toEpochMilli();
  private static final int MAX_PARALLELISM = 16;

  private final List<UserRecord> records = new ArrayList<>();

  private static OneInputStreamOperatorTestHarness<LineageOutput, Account> harness(
      int parallelism, int subtask) throws Exception {
    return new OneInputStreamOperatorTestHarness<>(
        new WitnessOperator(Pins.any().id(), Pins.any().tallies(), Key.PARTITION_KEY),
        MAX_PARALLELISM,
        parallelism,
        subtask);
  }

  private LineageOutput next(String shard) {
    int i = records.size();
    UserRecord record =
        new UserRecord(
            new Origin(shard, Integer.toString(1000 + i), OptionalInt.empty()),
            Optional.of("key-" + i % 3),
            Optional.empty(),
            T - 1 - i * 600_000L,
            ("value " + i).getBytes(UTF_8));
    records.add(record);
    return new LineageOutput.Copied(record);
  }

  private Tallies expected(boolean keyed) {
    Tallier tallier = new Tallier(Pins.any().id(), Pins.any().tallies());
    for (UserRecord record : records) {
      Optional<byte[]> key = record.partitionKey().map(text -> text.getBytes(UTF_8));
      tallier.take(
          record.origin().shardId(),
          record.origin().sequenceNumber(),
          record.origin().subSequence(),
          keyed ? key : Optional.empty(),
          record.arrivalMillis(),
          Optional.of(record.data()));
    }
    return tallier.tallies();
  }

  private static Tallies told(OneInputStreamOperatorTestHarness<LineageOutput, Account> witness) {
    Tallies sum = new Tallies();
    witness.extractOutputValues().stream()
        .filter(Account.Tallied.class::isInstance)
        .forEach(account -> sum.addAll(((Account.Tallied) account).tallies()));
    return sum;
  }

  @Test
  void talliesAreToldWhenTheInputEndsAndNotBefore() throws Exception {
    try (var witness = harness(1, 0)) {
      witness.open();
      for (int i = 0; i < 30; i++) {
        witness.processElement(next("shard-" + i % 2), 0);
      }
      assertThat(witness.extractOutputValues()).isEmpty();
      witness.endInput();
      assertThat(told(witness)).isEqualTo(expected(true));
      assertThat(expected(true).byShard().get("shard-0").size()).isGreaterThan(3);
    }
  }

  @Test
  void endsPassAtOnce() throws Exception {
    try (var witness = harness(1, 0)) {
      witness.open();
      LineageOutput end = new LineageOutput.ShardEnded(Ledgers.FULL);
      witness.processElement(end, 0);
      assertThat(witness.extractOutputValues()).containsExactly(new Account.Told(end));
    }
  }

  @Test
  void copyWithoutKeysIsTalliedWithoutKeys() throws Exception {
    try (var witness =
        new OneInputStreamOperatorTestHarness<LineageOutput, Account>(
            new WitnessOperator(Pins.any().id(), Pins.any().tallies(), Key.NONE))) {
      witness.open();
      witness.processElement(next("shard"), 0);
      witness.endInput();
      assertThat(told(witness)).isEqualTo(expected(false)).isNotEqualTo(expected(true));
    }
  }

  @Test
  void whatWasTalliedSurvivesARestartAndWhatCameAfterTheCheckpointDoesNot() throws Exception {
    OperatorSubtaskState checkpoint;
    try (var witness = harness(1, 0)) {
      witness.open();
      witness.processElement(next("shard"), 0);
      witness.processElement(next("shard"), 0);
      checkpoint = witness.snapshot(1, 1);
      witness.processElement(next("shard"), 0);
      records.remove(2); // read again after the restart, if at all
    }
    try (var witness = harness(1, 0)) {
      witness.initializeState(checkpoint);
      witness.open();
      witness.processElement(next("shard"), 0);
      witness.endInput();
      assertThat(told(witness)).isEqualTo(expected(true));
    }
  }

  @Test
  void nothingIsToldTwiceByARestartBehindTheEndOfTheInput() throws Exception {
    OperatorSubtaskState checkpoint;
    try (var witness = harness(1, 0)) {
      witness.open();
      witness.processElement(next("shard"), 0);
      witness.endInput();
      checkpoint = witness.snapshot(1, 1);
    }
    try (var witness = harness(1, 0)) {
      witness.initializeState(checkpoint);
      witness.open();
      witness.endInput();
      assertThat(told(witness).byShard()).isEmpty();
    }
  }

  @Test
  void rescaledJobTalliesTheSame() throws Exception {
    OperatorSubtaskState first;
    OperatorSubtaskState second;
    try (var one = harness(2, 0);
        var other = harness(2, 1)) {
      one.open();
      other.open();
      for (int i = 0; i < 5; i++) {
        one.processElement(next("shard-0"), 0);
        one.processElement(next("shard-2"), 0);
        other.processElement(next("shard-1"), 0);
      }
      first = one.snapshot(1, 1);
      second = other.snapshot(1, 1);
    }
    OperatorSubtaskState both = AbstractStreamOperatorTestHarness.repackageState(first, second);
    Tallies sum = new Tallies();
    for (int subtask = 0; subtask < 3; subtask++) {
      OperatorSubtaskState part =
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              both, MAX_PARALLELISM, 2, 3, subtask);
      try (var witness = harness(3, subtask)) {
        witness.initializeState(part);
        witness.open();
        // Wherever a shard's tallies went, its reading may go on elsewhere.
        witness.processElement(next("shard-" + (subtask + 1) % 3), 0);
        witness.endInput();
        sum.addAll(told(witness));
      }
    }
    assertThat(sum).isEqualTo(expected(true));
  }
}
