package io.cutover.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long BEGAN = -5 * SECOND; // nano time may be negative

  private final Pace pace = new Pace(2, 1000, BEGAN);

  @Test
  void firstCallDoesNotWait() {
    assertThat(pace.waitNanos(BEGAN)).isZero();
  }

  @Test
  void callsKeepTheirDistanceFromBeginToBegin() {
    pace.called(BEGAN, 0);
    assertThat(pace.waitNanos(BEGAN)).isEqualTo(SECOND / 2);
    assertThat(pace.waitNanos(BEGAN + SECOND / 4)).isEqualTo(SECOND / 4);
    assertThat(pace.waitNanos(BEGAN + SECOND)).isZero();
  }

  @Test
  void largePageTakesTheTimeOfItsBytes() {
    pace.called(BEGAN, 3000);
    assertThat(pace.waitNanos(BEGAN)).isEqualTo(3 * SECOND);
  }
}
