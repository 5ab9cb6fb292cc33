package io.cutover.kpl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.kpl.Deaggregated.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeaggregatedTest {

  private static final UserRecord RECORD = Given.taken(new byte[0]).records().get(0);

  @Test
  void noKinesisRecordComesToNothing() {
    assertThatThrownBy(() -> new Deaggregated(List.of(), Kind.AGGREGATE, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("AGGREGATE of 0");
  }

  @Test
  void onlyAnAggregateComesToSeveral() {
    assertThatThrownBy(() -> new Deaggregated(List.of(RECORD, RECORD), Kind.PLAIN, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyMembersAreOutOfRange() {
    assertThatThrownBy(() -> new Deaggregated(List.of(RECORD), Kind.MALFORMED, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
