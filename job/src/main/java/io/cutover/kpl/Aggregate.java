package io.cutover.kpl;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The body of a KPL aggregate. The keys are wrapped once per table entry, not once per member that
 * refers to it.
 *
 * @param partitionKeys the table that {@link Member#partitionKey()} points into; none is absent
 * @param explicitHashKeys the table that {@link Member#explicitHashKey()} points into; none is
 *     absent, and none is known to be a number
 * @param members in the producer's order
 */
record Aggregate(
    List<Optional<String>> partitionKeys,
    List<Optional<String>> explicitHashKeys,
    List<Member> members) {

  /**
   * @param partitionKey an index that is within the table
   * @param explicitHashKey an index that is within the table, where the producer gave a key
   * @param data the member's own copy of its payload
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere; a copy per record would be paid for
  record Member(int partitionKey, OptionalInt explicitHashKey, byte[] data) {}
}
