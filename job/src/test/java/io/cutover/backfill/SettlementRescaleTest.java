package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.source.LineageOutput.SubtaskDone;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The lineage is done when every subtask of the present parallelism says so. */
class SettlementRescaleTest {

  private SettlementState state = new SettlementState(Instant.EPOCH);

  @Test
  void lineageIsDoneWhenEverySubtaskSaysSo() {
    state.heard(new Account.Told(new SubtaskDone(0, 2, "found")));
    assertThat(state.lineageDone()).isFalse();
    state.heard(new Account.Told(new SubtaskDone(1, 2, "found")));
    assertThat(state.lineageDone()).isTrue();
  }

  @Test
  void stateOfMoreSubtasksDoesNotHideThatTheFewerAreDone() throws Exception {
    for (int subtask = 0; subtask < 4; subtask++) {
      state.heard(new Account.Told(new SubtaskDone(subtask, 4, "found")));
    }
    state = SettlementState.fromBytes(state.toBytes());
    state.heard(new Account.Told(new SubtaskDone(0, 2, "found")));
    assertThat(state.lineageDone()).isFalse();
    state.heard(new Account.Told(new SubtaskDone(1, 2, "found")));
    assertThat(state.lineageDone()).isTrue();
  }

  @Test
  void stateOfFewerSubtasksDoesNotStandForOnesThatAreNotDone() throws Exception {
    state.heard(new Account.Told(new SubtaskDone(0, 2, "found")));
    state.heard(new Account.Told(new SubtaskDone(1, 2, "found")));
    state = SettlementState.fromBytes(state.toBytes());
    state.heard(new Account.Told(new SubtaskDone(0, 3, "found")));
    assertThat(state.lineageDone()).isFalse();
  }
}
