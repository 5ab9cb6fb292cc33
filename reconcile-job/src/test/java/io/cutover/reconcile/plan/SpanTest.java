package io.cutover.reconcile.plan;

import static io.cutover.reconcile.plan.Plans.START;
import static io.cutover.reconcile.plan.Plans.T;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.UsageException;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SpanTest {

  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  private static Span span(Optional<Instant> from, Optional<Instant> to) {
    return Span.of(Pins.any(), from, to);
  }

  private static Instant hours(double beforeT) {
    return T.minusMillis(Math.round(beforeT * 3_600_000));
  }

  @Test
  void allOfTheCopyIsComparedUnlessLessIsAskedFor() {
    Span span = span(Optional.empty(), Optional.empty());
    assertThat(span.whole()).isTrue();
    assertThat(span.from()).isEqualTo(START);
    assertThat(span.to()).isEqualTo(T);
  }

  @Test
  void recordsOfTheCopyFromBeforeTheBackfillStartAreWithinTheWholeSpan() {
    Span span = span(Optional.empty(), Optional.empty());
    assertThat(span.contains(-24)).isTrue();
    assertThat(span.contains(-25)).isTrue();
    assertThat(span.contains(Long.MIN_VALUE)).isTrue();
    assertThat(span.contains(-1)).isTrue();
    assertThat(span.contains(0)).isFalse();
  }

  @Test
  void windowsEndAtTAndNotAtTheFullHour() {
    Span span = span(Optional.of(hours(1)), Optional.empty());
    assertThat(span.from()).isEqualTo(T.minus(Duration.ofHours(1)));
    assertThat(span.to()).isEqualTo(T);
  }

  @Test
  void bothEndsAreRoundedOutwards() {
    Span span = span(Optional.of(hours(5.5)), Optional.of(hours(2.5)));
    assertThat(span.from()).isEqualTo(hours(6));
    assertThat(span.to()).isEqualTo(hours(2));
    assertThat(span.whole()).isFalse();
    assertThat(span.contains(-7)).isFalse();
    assertThat(span.contains(-6)).isTrue();
    assertThat(span.contains(-3)).isTrue();
    assertThat(span.contains(-2)).isFalse();
  }

  @Test
  void edgesOfWindowsStayWhereTheyAre() {
    Span span = span(Optional.of(hours(5)), Optional.of(hours(4)));
    assertThat(span.from()).isEqualTo(hours(5));
    assertThat(span.to()).isEqualTo(hours(4));
  }

  @Test
  void oneMillisecondIsEnough() {
    Span span = span(Optional.of(hours(5)), Optional.of(hours(5).plusMillis(1)));
    assertThat(span.from()).isEqualTo(hours(5));
    assertThat(span.to()).isEqualTo(hours(4));
  }

  @Test
  void fromBeforeTheBackfillStartIsAllOfTheCopy() {
    assertThat(span(Optional.of(START.minusSeconds(1)), Optional.empty()).whole()).isTrue();
    assertThat(span(Optional.of(START), Optional.empty()).whole()).isTrue();
    assertThat(span(Optional.of(START.plusMillis(1)), Optional.empty()).whole()).isFalse();
  }

  @Test
  void toAtTheEndOfTheLastWindowIsT() {
    assertThat(span(Optional.empty(), Optional.of(T)).whole()).isTrue();
    assertThat(span(Optional.empty(), Optional.of(hours(0.5))).whole()).isTrue();
    assertThat(span(Optional.empty(), Optional.of(hours(1))).whole()).isFalse();
  }

  @Test
  void windowThatThePinNarrowedIsNotAllOfTheCopy() {
    Pin narrowed = Pins.resharded(); // two hours of a day
    Span span = Span.of(narrowed, Optional.empty(), Optional.empty());
    assertThat(span.whole()).isFalse();
    assertThat(span.from()).isEqualTo(narrowed.windowStart());
    assertThat(span.contains(-5)).isFalse();
    // From cannot widen what the pin narrowed.
    assertThat(Span.of(narrowed, Optional.of(START), Optional.empty())).isEqualTo(span);
  }

  @Test
  void spansThatHoldNothingOrEndAfterTAreRefused() {
    assertRefused(Optional.empty(), Optional.of(T.plusMillis(1)));
    assertRefused(Optional.of(T), Optional.empty());
    assertRefused(Optional.of(T.plusSeconds(1)), Optional.of(T.plusSeconds(2)));
    assertRefused(Optional.of(hours(2)), Optional.of(hours(2)));
    assertRefused(Optional.of(hours(2)), Optional.of(hours(3)));
    assertRefused(Optional.empty(), Optional.of(START));
  }

  private static void assertRefused(Optional<Instant> from, Optional<Instant> to) {
    assertThatThrownBy(() -> span(from, to))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("reconcile.from and reconcile.to")
        .hasMessageContaining(T.toString());
  }

  @Test
  void emptySpanCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Span(Pins.any().tallies(), true, -3, -3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Span(Pins.any().tallies(), true, -3, 1));
  }

  @Property
  void whatIsAskedForIsWithinAndNoWindowIsThatHoldsNothingOfIt(
      @ForAll @LongRange(min = 1, max = 86_400_000) long fromMillis,
      @ForAll @LongRange(min = 0, max = 86_400_000) long toMillis) {
    if (toMillis >= fromMillis) {
      return;
    }
    Instant from = T.minusMillis(fromMillis);
    Instant to = T.minusMillis(toMillis);
    Span span = span(Optional.of(from), Optional.of(to));
    assertThat(span.from()).isBeforeOrEqualTo(from);
    assertThat(span.to()).isAfterOrEqualTo(to).isBeforeOrEqualTo(T);
    assertThat(Duration.between(span.from(), from)).isLessThan(Duration.ofHours(1));
    assertThat(Duration.between(to, span.to())).isLessThan(Duration.ofHours(1));
    assertThat(span.contains(span.windows().index(from.toEpochMilli()))).isTrue();
    assertThat(span.contains(span.windows().index(to.toEpochMilli() - 1))).isTrue();
    assertThat(span.whole()).isEqualTo(fromMillis == DAY_MILLIS && toMillis < 3_600_000);
  }
}
