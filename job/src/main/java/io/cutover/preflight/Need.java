package io.cutover.preflight;

import io.cutover.kafka.LargestRecord;
import io.cutover.kinesis.StreamDescription;
import io.cutover.pin.Pin;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the copy asks of the topic.
 *
 * @param retention for how long the topic must keep a record, counted from its arrival
 * @param backdating how old a record's timestamp must be allowed to be
 * @param recordKiB the most that a record of the stream can hold
 */
record Need(Duration retention, Duration backdating, int recordKiB) {

  /**
   * What a cutover may take from now on: the copy, its reconciliation, the flip, and the time in
   * which one may still want to go back.
   */
  static final Duration CUTOVER = Duration.ofDays(30);

  /**
   * @param stream as it is now, where that is known: a record size that was raised after the pin is
   *     the tail's to carry, one that was lowered may still be among the history
   */
  Need(Pin pin, Optional<StreamDescription> stream, Instant now) {
    this(
        Duration.between(pin.start(), now).plus(CUTOVER),
        Duration.between(pin.oldestArrival().orElse(pin.start()), now).plus(CUTOVER),
        Math.max(
            pin.stream().maxRecordSizeKiB(),
            stream.map(StreamDescription::maxRecordSizeKiB).orElse(0)));
  }

  LargestRecord largest() {
    return new LargestRecord(recordKiB);
  }
}
