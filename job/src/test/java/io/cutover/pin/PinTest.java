package io.cutover.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PinTest {

  private static final Instant T = Instant.parse("2026-03-01T12:00:00.500Z");
  private static final String ARN = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders";
  private static final Instant CREATED = Instant.parse("2020-01-01T00:00:00Z");

  private final Boundary boundary = new Boundary(T, Duration.ofSeconds(60));

  @Test
  void idIsTheSameInEachReleaseForEver() {
    assertThat(Copy.of(ARN, CREATED, "orders", T).pinId()).isEqualTo("99fd7eee53d922cd");
  }

  @Test
  void eachOfTheFourMakesAnotherId() {
    assertThat(
            Set.of(
                Copy.of(ARN, CREATED, "orders", T).pinId(),
                Copy.of(ARN + "2", CREATED, "orders", T).pinId(),
                Copy.of(ARN, CREATED.plusSeconds(1), "orders", T).pinId(),
                Copy.of(ARN, CREATED, "orders2", T).pinId(),
                Copy.of(ARN, CREATED, "orders", T.plusMillis(1)).pinId()))
        .hasSize(5);
  }

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
