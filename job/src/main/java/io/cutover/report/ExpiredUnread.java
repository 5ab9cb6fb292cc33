package io.cutover.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.pin.Pin;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * What expired between the pin and the reading: of a shard without a listed parent, everything from
 * the oldest arrival that the pin saw up to the first record that was read.
 */
public record ExpiredUnread(Pin pin) {

  /**
   * Half-open: arrivals from the one up to the other.
   *
   * @param to the first arrival that was read, or T where none was
   */
  public record Span(Instant from, Instant to) {

    void putInto(ObjectNode json) {
      json.putObject("expiredUnread").put("from", from.toString()).put("to", to.toString());
    }
  }

  /** Of one shard. */
  Optional<Span> of(ShardLedger ledger) {
    Instant firstRead =
        ledger.first().map(Mark::arrivalMillis).map(Instant::ofEpochMilli).orElse(pin.boundary());
    return pin.oldest().stream()
        .filter(oldest -> oldest.shard().equals(ledger.shard().id()))
        .flatMap(oldest -> oldest.arrival().stream())
        .filter(arrival -> arrival.isBefore(firstRead) && arrival.isBefore(pin.boundary()))
        .map(arrival -> new Span(arrival, min(firstRead, pin.boundary())))
        .findFirst();
  }

  private static Instant min(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  /** Of the whole copy: from the earliest to the latest. */
  Optional<Span> span(Collection<ShardLedger> ledgers) {
    return ledgers.stream()
        .flatMap(ledger -> of(ledger).stream())
        .reduce(
            (a, b) -> new Span(min(a.from(), b.from()), a.to().isAfter(b.to()) ? a.to() : b.to()));
  }
}
