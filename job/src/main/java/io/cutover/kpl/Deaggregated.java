package io.cutover.kpl;

import java.util.List;

/**
 * What one Kinesis record came to.
 *
 * @param records what to copy, in the producer's order; never empty: every record comes to
 *     something
 * @param kind what the Kinesis record was
 * @param outOfRange how many members route to a hash key outside the shard's range; they are among
 *     the records. Always 0 unless the kind is AGGREGATE
 */
public record Deaggregated(List<UserRecord> records, Kind kind, int outOfRange) {

  /** What a Kinesis record can be. */
  public enum Kind {
    /** Without the magic: one user record, the Kinesis record itself. */
    PLAIN,
    /** A sound aggregate: one user record per member, at least one. */
    AGGREGATE,
    /**
     * With the magic, but no aggregate that can be unpacked without loss: a wrong MD5, a broken
     * body, an index that points nowhere, text that is not UTF-8, or no member at all. One user
     * record, the Kinesis record whole.
     */
    MALFORMED
  }

  public Deaggregated {
    boolean whole = kind != Kind.AGGREGATE;
    if (records.isEmpty() || (whole && (records.size() != 1 || outOfRange != 0))) {
      throw new IllegalArgumentException(
          "a Kinesis record comes to one user record, or is an AGGREGATE of at least one, but is "
              + kind
              + " of "
              + records.size()
              + " with "
              + outOfRange
              + " out of range");
    }
  }
}
