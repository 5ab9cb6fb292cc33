package io.cutover.local.kinesis;

import java.time.Instant;
import java.util.Optional;

/**
 * One call that the server answered, so that a test can ask what a reader asked.
 *
 * @param at when it came in, by the emulator's clock
 * @param action GetRecords, ListShards and so on
 * @param stream the stream's name, when the call named or implied one
 * @param position for GetShardIterator the type, with the sequence number or the instant behind it
 * @param outcome {@link #OK}, {@link #CUT} or the error's type
 * @param records the records on the page, for GetRecords that went well; otherwise 0
 */
public record Call(
    Instant at,
    String action,
    Optional<String> stream,
    Optional<String> shardId,
    Optional<String> position,
    String outcome,
    int records,
    WireFormat format) {

  /** The outcome of a call that was answered. */
  public static final String OK = "OK";

  /** The outcome of a call whose connection was cut in the middle of the answer. */
  public static final String CUT = "CUT";

  public boolean ok() {
    return outcome.equals(OK);
  }
}
