package io.cutover.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private final Backoff backoff = new Backoff();

  @Test
  void pausesDoubleUpToFiveSecondsWithAtMostHalfOfJitter() {
    long step = Duration.ofMillis(200).toNanos();
    long longest = Duration.ofSeconds(5).toNanos();
    for (int i = 0; i < 100; i++) {
      assertThat(backoff.failed(0)).isBetween(step / 2, step);
      step = Math.min(longest, step * 2);
    }
  }

  @Test
  void failingIsMeasuredFromTheFirstFailureOn() {
    assertThat(backoff.failingForNanos(50)).isZero();
    backoff.failed(100);
    backoff.failed(200);
    assertThat(backoff.failingForNanos(350)).isEqualTo(250);
  }

  @Test
  void successBeginsAnew() {
    backoff.failed(100);
    backoff.failed(100);
    backoff.succeeded();
    assertThat(backoff.failingForNanos(1000)).isZero();
    assertThat(backoff.failed(2000)).isLessThanOrEqualTo(Duration.ofMillis(200).toNanos());
    assertThat(backoff.failingForNanos(2500)).isEqualTo(500);
  }
}
