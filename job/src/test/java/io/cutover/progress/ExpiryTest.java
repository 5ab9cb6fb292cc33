package io.cutover.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ExpiryTest {

  private static final Instant NOW = Instant.parse("2026-03-08T00:00:00Z");
  private static final Duration RETENTION = Duration.ofHours(168);

  /** Twelve hours before it expires, 100 hours before T. */
  private static final Instant FRONTIER = NOW.minus(RETENTION).plus(Duration.ofHours(12));

  private static final Instant T = FRONTIER.plus(Duration.ofHours(100));

  private static Expiry at(OptionalDouble rate) {
    return Expiry.of(FRONTIER, T, RETENTION, rate, NOW);
  }

  @Test
  void frontierThatStandsStillExpiresWhenItsHeadroomIsUsedUp() {
    assertThat(at(OptionalDouble.of(0))).isEqualTo(new Expiry.In(Duration.ofHours(12)));
  }

  @Test
  void unknownRateIsTakenForAStandstill() {
    assertThat(at(OptionalDouble.empty())).isEqualTo(new Expiry.In(Duration.ofHours(12)));
  }

  @Test
  void slowFrontierIsFollowedAtTheDifference() {
    assertThat(at(OptionalDouble.of(0.5))).isEqualTo(new Expiry.In(Duration.ofHours(24)));
    assertThat(at(OptionalDouble.of(0.75))).isEqualTo(new Expiry.In(Duration.ofHours(48)));
  }

  @Test
  void frontierAsFastAsTheClockIsNeverOvertaken() {
    assertThat(at(OptionalDouble.of(1))).isEqualTo(new Expiry.NotBeforeItIsRead());
    assertThat(at(OptionalDouble.of(5000))).isEqualTo(new Expiry.NotBeforeItIsRead());
  }

  @Test
  void frontierThatReachesTFirstIsNotOvertakenEither() {
    // 12 h / (1 - 0.9) = 120 h, in which 108 h of arrival are read, of 100.
    assertThat(at(OptionalDouble.of(0.9))).isEqualTo(new Expiry.NotBeforeItIsRead());
  }

  @Test
  void whatMayHaveExpiredHasNoTimeLeft() {
    Instant gone = NOW.minus(RETENTION).minusSeconds(1);
    assertThat(Expiry.of(gone, T, RETENTION, OptionalDouble.of(9), NOW))
        .isEqualTo(new Expiry.In(Duration.ZERO));
  }
}
