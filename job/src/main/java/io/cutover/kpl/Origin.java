package io.cutover.kpl;

import java.util.OptionalInt;

/**
 * Where a user record stood in the stream; with the pin id it is the record's identity.
 *
 * @param shardId the shard that served it
 * @param sequenceNumber of the Kinesis record that held it, decimal digits
 * @param subSequence its index in the KPL aggregate; a plain record has none, which is not 0
 */
public record Origin(String shardId, String sequenceNumber, OptionalInt subSequence) {

  /** In one line; no two origins come to the same. */
  public String text() {
    return shardId
        + " "
        + sequenceNumber
        + subSequence.stream().mapToObj(index -> "/" + index).findFirst().orElse("");
  }
}
