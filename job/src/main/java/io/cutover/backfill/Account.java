package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import io.cutover.tally.Tallies;

/** What the settlement is told of the reading. */
sealed interface Account {

  /** The end of a shard or of a subtask, from the source. */
  record Told(LineageOutput end) implements Account {}

  /** What one subtask has tallied, in all, when its input ended. */
  record Tallied(Tallies tallies) implements Account {}
}
