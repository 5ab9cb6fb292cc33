package io.cutover.reconcile.side;

import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallies;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one subtask read of the stream.
 *
 * @param tallies of the user records within the compared span
 * @param ledgers of the shards that it read
 */
public record StreamAccount(Tallies tallies, List<ShardLedger> ledgers) {

  public static StreamAccount nothing() {
    return new StreamAccount(new Tallies(), List.of());
  }

  public StreamAccount plus(StreamAccount other) {
    Tallies both = new Tallies();
    both.addAll(tallies);
    both.addAll(other.tallies);
    return new StreamAccount(
        both, Stream.concat(ledgers.stream(), other.ledgers.stream()).toList());
  }

  /** User records that were read from before the end of the span. */
  public long records() {
    return ledgers.stream().mapToLong(ShardLedger::records).sum();
  }
}
