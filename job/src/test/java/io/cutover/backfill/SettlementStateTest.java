package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.report.Ledgers;
import io.cutover.source.LineageOutput;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SettlementStateTest {

  private static final Instant BEGUN = Instant.ofEpochMilli(0x18bcfe56800L);

  private static SettlementState full() {
    SettlementState state = new SettlementState(BEGUN);
    state.heard(new Account.Told(new LineageOutput.ShardEnded(Ledgers.FULL)));
    state.heard(new Account.Told(new LineageOutput.ShardEnded(Ledgers.UNREAD)));
    state.heard(new Account.Told(new LineageOutput.SubtaskDone(0, 3, "found")));
    state.heard(new Account.Told(new LineageOutput.SubtaskDone(2, 3, "found")));
    state.heard(new Account.Tallied(Ledgers.witnessOfFull()));
    for (int i = 0; i < 5; i++) {
      state.suspectCommit();
    }
    return state;
  }

  @Test
  void stateIsReadBackAsWritten() throws IOException {
    SettlementState back = SettlementState.fromBytes(full().toBytes());
    assertThat(back.ledgers()).containsExactlyElementsOf(full().ledgers());
    assertThat(back.ledgers()).containsExactlyInAnyOrder(Ledgers.FULL, Ledgers.UNREAD);
    assertThat(back.suspectCommits()).isEqualTo(5);
    assertThat(back.witness()).isEqualTo(Ledgers.witnessOfFull());
    assertThat(back.admitted()).isEqualTo("found");
    assertThat(back.begunAt()).isEqualTo(BEGUN);
    assertThat(back.lineageDone()).isFalse();
    back.heard(new Account.Told(new LineageOutput.SubtaskDone(1, 3, "found")));
    assertThat(back.lineageDone()).isTrue();
  }

  @Test
  void stateThatHeardNothingIsReadBack() throws IOException {
    SettlementState back = SettlementState.fromBytes(new SettlementState(BEGUN).toBytes());
    assertThat(back.ledgers()).isEmpty();
    assertThat(back.suspectCommits()).isZero();
    assertThat(back.lineageDone()).isFalse();
  }

  /** A change of these bytes is a new version. */
  @Test
  void bytesOfVersionTwoAreReadForEver() throws IOException {
    SettlementState state = new SettlementState(BEGUN);
    state.suspectCommit();
    state.suspectCommit();
    state.suspectCommit();
    state.heard(new Account.Told(new LineageOutput.SubtaskDone(1, 2, "found")));
    byte[] golden =
        HexFormat.of()
            .parseHex(
                "00000002"
                    + "0000018bcfe56800"
                    + "0000000000000003"
                    + "0005666f756e64"
                    + "00000002"
                    + "00000001"
                    + "00000001"
                    + "00000000"
                    + "00000000");
    assertThat(state.toBytes()).isEqualTo(golden);
    assertThat(SettlementState.fromBytes(golden).suspectCommits()).isEqualTo(3);
  }

  @Test
  void unknownVersionIsRefused() throws IOException {
    byte[] other = full().toBytes();
    other[3] = 3;
    assertThatThrownBy(() -> SettlementState.fromBytes(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 3")
        .hasMessageContaining("knows 2");
  }

  @Test
  void bytesLeftOverAreRefused() throws IOException {
    byte[] bytes = full().toBytes();
    assertThatThrownBy(() -> SettlementState.fromBytes(Arrays.copyOf(bytes, bytes.length + 2)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("2 bytes too many");
  }

  @Test
  void talliesOfSubtasksAddUp() {
    SettlementState state = full();
    state.heard(new Account.Tallied(Ledgers.witnessOfFull()));
    assertThat(state.witness().byShard().get("shardId-000000000002").get(-1L).count()).isEqualTo(6);
  }

  @Test
  void recordIsNoEnd() {
    assertThatThrownBy(() -> full().heard(new Account.Told(new LineageOutput.Copied(null))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void repeatedEndReplacesTheFirst() {
    SettlementState state = full();
    state.heard(new Account.Told(new LineageOutput.ShardEnded(Ledgers.FULL)));
    assertThat(state.ledgers()).hasSize(2);
  }

  @Test
  void lineageIsDoneWhenEachSubtaskSaidSo() {
    SettlementState state = new SettlementState(BEGUN);
    assertThat(state.lineageDone()).isFalse();
    state.heard(new Account.Told(new LineageOutput.SubtaskDone(1, 2, "found")));
    state.heard(new Account.Told(new LineageOutput.SubtaskDone(1, 2, "found")));
    assertThat(state.lineageDone()).isFalse();
    state.heard(new Account.Told(new LineageOutput.SubtaskDone(0, 2, "found")));
    assertThat(state.lineageDone()).isTrue();
  }
}
