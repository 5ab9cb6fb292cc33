package io.cutover.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class SlidingRateTest {

  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");

  private final SlidingRate rate = new SlidingRate();

  private void sample(int second, double value) {
    rate.sample(BEGIN.plusSeconds(second), value);
  }

  @Test
  void oneSampleIsNoRate() {
    assertThat(rate.perSecond()).isEmpty();
    sample(0, 100);
    assertThat(rate.perSecond()).isEmpty();
  }

  @Test
  void rateIsThatOfTheLastMinuteNotSinceTheStart() {
    sample(0, 0);
    for (int second = 10; second <= 120; second += 10) {
      sample(second, second * 1000);
    }
    for (int second = 130; second <= 240; second += 10) {
      sample(second, 120_000 + (second - 120) * 5);
    }
    assertThat(rate.perSecond()).hasValue(5);
  }

  @Test
  void lookingInBetweenTheStepsDoesNotShakeTheRate() {
    for (int second = 0; second <= 57; second++) {
      sample(second, second / 10 * 1000);
    }
    assertThat(rate.perSecond()).hasValue(100);
  }

  @Test
  void standstillBecomesZero() {
    for (int second = 0; second <= 200; second += 2) {
      sample(second, Math.min(second, 20));
    }
    assertThat(rate.perSecond()).hasValue(0);
  }

  @Test
  void numberThatBeginsAnewIsNeverANegativeRate() {
    sample(0, 0);
    sample(10, 10_000);
    sample(20, 200);
    assertThat(rate.perSecond()).isEmpty();
    sample(30, 700);
    assertThat(rate.perSecond()).hasValue(50);
  }

  @Test
  void clockThatIsSetBackDoesNotDivideByNothing() {
    sample(10, 1);
    sample(10, 2);
    assertThat(rate.perSecond()).isEmpty();
    sample(5, 3);
    assertThat(rate.perSecond()).isEmpty();
  }
}
