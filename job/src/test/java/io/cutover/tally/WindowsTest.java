package io.cutover.tally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class WindowsTest {

  private static final Instant T = Instant.parse("2026-03-01T12:00:00.500Z");

  private final Windows hours = new Windows(T, Duration.ofHours(1));

  @Example
  void lastWindowEndsAtT() {
    assertThat(hours.index(T.toEpochMilli() - 1)).isEqualTo(-1);
    assertThat(hours.index(T.toEpochMilli())).isZero();
    assertThat(hours.end(-1)).isEqualTo(T);
    assertThat(hours.start(-1)).isEqualTo(T.minusSeconds(3600));
  }

  @Property(tries = 500)
  void everyArrivalLiesInItsWindow(
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long arrival,
      @ForAll @IntRange(min = 1) int lengthMillis) {
    Windows windows = new Windows(T, Duration.ofMillis(lengthMillis));
    long index = windows.index(arrival);
    assertThat(windows.start(index).toEpochMilli()).isLessThanOrEqualTo(arrival);
    assertThat(windows.end(index).toEpochMilli()).isGreaterThan(arrival);
  }

  @Example
  void windowOfNoLengthIsNone() {
    for (Duration length :
        new Duration[] {Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1)}) {
      assertThatThrownBy(() -> new Windows(T, length)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
