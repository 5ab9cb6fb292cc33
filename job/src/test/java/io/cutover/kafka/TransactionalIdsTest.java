package io.cutover.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import java.time.Instant;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;

class TransactionalIdsTest {

  private static final Instant T = Instant.parse("2026-03-01T00:00:00Z");

  private static String prefix(String topic, Instant boundary) {
    Pin pin = Pins.of("arn:aws:kinesis:eu-west-1:1:stream/" + boundary, topic);
    return TransactionalIds.prefix(pin.id(), topic);
  }

  @Example
  void prefixNamesThePinAndTheTopic() {
    assertThat(TransactionalIds.prefix("0123456789abcdef", "orders"))
        .isEqualTo("cutover-0123456789abcdef-orders");
  }

  /** Topics whose names begin one another are the hard case. */
  @Property(tries = 1000)
  void noPrefixBeginsAnother(
      @ForAll @StringLength(min = 1, max = 20) @CharRange(from = 'a', to = 'c') String topic,
      @ForAll @StringLength(max = 5) @CharRange(from = '-', to = '0') String more,
      @ForAll short laterMillis) {
    String one = prefix(topic, T);
    String other = prefix(topic + more, T.plusMillis(laterMillis));
    boolean same = more.isEmpty() && laterMillis == 0;
    assertThat(other.startsWith(one)).isEqualTo(same);
    assertThat(one.startsWith(other)).isEqualTo(same);
  }
}
