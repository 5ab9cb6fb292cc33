package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class EmulatorClockTest {

  private final EmulatorClock clock = new EmulatorClock();

  @Test
  void runsWithTheSystemsClock() {
    assertThat(clock.instant()).isCloseTo(Instant.now(), within(10, ChronoUnit.SECONDS));
  }

  @Test
  void offsetKeepsItsDistance() {
    clock.setOffset(Duration.ofMinutes(-10));
    assertThat(clock.instant())
        .isCloseTo(Instant.now().minusSeconds(600), within(10, ChronoUnit.SECONDS));
  }

  @Test
  void runningClockRunsOnAfterAJump() {
    Instant then = Instant.parse("2030-01-01T00:00:00Z");
    clock.set(then);
    clock.advance(Duration.ofHours(1));
    Instant jumped = then.plus(Duration.ofHours(1));
    assertThat(clock.instant()).isBetween(jumped, jumped.plusSeconds(10));
    await().until(() -> clock.instant().isAfter(jumped.plusMillis(5)));
  }

  @Test
  void frozenClockMovesOnlyWhenItIsMoved() {
    Instant then = Instant.parse("2030-01-01T00:00:00Z");
    clock.freeze(then);
    assertThat(clock.instant()).isEqualTo(then);
    clock.advance(Duration.ofMillis(7));
    assertThat(clock.instant()).isEqualTo(then.plusMillis(7));
    clock.set(then);
    assertThat(clock.instant()).isEqualTo(then);
    clock.resume();
    await().until(() -> clock.instant().isAfter(then));
  }
}
