package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import io.cutover.pin.Pins;
import io.cutover.report.Ledgers;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;

class WitnessCheckTest {

  private static final String SHARD = Ledgers.FULL.shard().id();

  private final WitnessCheck check =
      new WitnessCheck(Pins.any().tallies(), Ledgers.witnessOfFull());

  @Test
  void equalTopicAndLedgersPass() {
    assertThatCode(() -> check.againstTopic(Ledgers.witnessOfFull())).doesNotThrowAnyException();
    assertThatCode(() -> check.againstLedgers(List.of(Ledgers.FULL, Ledgers.UNREAD)))
        .doesNotThrowAnyException();
  }

  @Test
  void windowThatDiffersOnlyInItsDigestIsNamed() {
    Tallies topic = new Tallies();
    topic.add(SHARD, -2, new Tally(7, 1000, 1, -1, "4959033827", "4959033828"));
    topic.add(SHARD, -1, new Tally(3, 234, 0, 3, "4959033828", "4959033829"));
    assertThatThrownBy(() -> check.againstTopic(topic))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(
            SHARD
                + " from 2026-03-01T11:00:00.500Z to 2026-03-01T12:00:00.500Z: other records than"
                + " were read, though as many")
        .hasMessageNotContainingAny("from 2026-03-01T10:00")
        .hasMessageContaining("[RECORDS_LOST]");
  }

  @Test
  void windowThatStandsOnOneSideOnlyIsNamed() {
    assertThatThrownBy(() -> check.againstTopic(new Tallies()))
        .hasMessageContaining("in the topic nothing");
    Tallies more = Ledgers.witnessOfFull();
    more.add("shardId-000000000009", -1, new Tally(1, 1, 0, 1, "1", "1"));
    assertThatThrownBy(() -> check.againstTopic(more))
        .hasMessageContaining(
            "shardId-000000000009 from 2026-03-01T11:00:00.500Z to 2026-03-01T12:00:00.500Z: read"
                + " nothing, in the topic 1 records of 1 bytes");
  }

  @Test
  void ledgerWithoutItsTalliesAndTalliesWithoutTheirLedgerAreAFault() {
    assertThatThrownBy(() -> check.againstLedgers(List.of(Ledgers.UNREAD)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("without a ledger: [" + SHARD + "]");
    WitnessCheck empty = new WitnessCheck(Pins.any().tallies(), new Tallies());
    assertThatThrownBy(() -> empty.againstLedgers(List.of(Ledgers.FULL)))
        .hasMessageContaining("the witness 0 of 0");
  }
}
