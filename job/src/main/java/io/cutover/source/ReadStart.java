package io.cutover.source;

import io.cutover.kinesis.Position;
import java.io.Serializable;
import java.time.Instant;

/** Where the reading of each shard begins. */
public sealed interface ReadStart extends Serializable {

  /**
   * At the oldest record that is still retained. A shard whose parents are listed is read whole, or
   * refused.
   */
  ReadStart TRIM_HORIZON = new TrimHorizon();

  /**
   * At the first record of the shard that arrived then or later; where that has expired, at the
   * oldest that is still retained. Whoever reads so has to look into the ledger where each reading
   * began: nothing says whether something in front of it had expired.
   *
   * @param instant not after the server's now
   */
  static ReadStart at(Instant instant) {
    return new At(instant);
  }

  /** Of a shard that nothing was read of. */
  Position position();

  /** Whether a shard whose beginning may have expired is refused. */
  boolean fromBirth();

  /** What to do when records expire before they are read. */
  String remedy();

  /** See {@link #TRIM_HORIZON}. */
  record TrimHorizon() implements ReadStart {
    @Override
    public Position position() {
      return new Position.TrimHorizon();
    }

    @Override
    public boolean fromBirth() {
      return true;
    }

    @Override
    public String remedy() {
      return "Raise the stream's retention (this revives nothing, but stops the clock), empty the"
          + " topic and begin again";
    }
  }

  /** See {@link #at}. */
  record At(Instant instant) implements ReadStart {
    @Override
    public Position position() {
      return new Position.AtTimestamp(instant);
    }

    @Override
    public boolean fromBirth() {
      return false;
    }

    @Override
    public String remedy() {
      return "Raise the stream's retention (this revives nothing, but stops the clock) and run this"
          + " again: it then begins behind what has expired";
    }
  }
}
