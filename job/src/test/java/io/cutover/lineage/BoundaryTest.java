package io.cutover.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BoundaryTest {

  private static final Instant T = Instant.parse("2026-03-01T12:00:00.500Z");

  private final Boundary boundary = new Boundary(T, Duration.ofSeconds(60));

  @Test
  void recordBelongsToTheCopyBeforeTAndNotAtIt() {
    assertThat(boundary.copies(T.toEpochMilli() - 1)).isTrue();
    assertThat(boundary.copies(T.toEpochMilli())).isFalse();
  }

  @Test
  void shardEndsAtARecordOfTPlusSlack() {
    long end = T.plusSeconds(60).toEpochMilli();
    assertThat(boundary.endsAt(end - 1)).isFalse();
    assertThat(boundary.endsAt(end)).isTrue();
  }

  @Test
  void serversClockPassesAtTPlusSlack() {
    assertThat(boundary.passedBy(T.plusSeconds(60).minusMillis(1))).isFalse();
    assertThat(boundary.passedBy(T.plusSeconds(60))).isTrue();
  }

  @Test
  void slackMayBeNoneButNotNegative() {
    assertThat(new Boundary(T, Duration.ZERO).endsAt(T.toEpochMilli())).isTrue();
    assertThatThrownBy(() -> new Boundary(T, Duration.ofMillis(-1)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("slack");
  }

  @Test
  void boundaryHasWholeMilliseconds() {
    assertThatThrownBy(() -> new Boundary(T.plusNanos(1), Duration.ZERO))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("whole milliseconds");
  }
}
