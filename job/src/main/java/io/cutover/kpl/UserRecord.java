package io.cutover.kpl;

import java.util.Optional;

/**
 * One record as its producer wrote it: a plain Kinesis record, or one member of a KPL aggregate.
 *
 * @param origin where it stood in the stream
 * @param partitionKey its own key, not the aggregate's; absent only where the server sent none
 * @param explicitHashKey as the producer gave it, where it gave any: decimal digits, unless it
 *     erred
 * @param arrivalMillis arrival in epoch milliseconds; a member has its aggregate's
 * @param data the payload, never copied: nobody may write to it
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; a copy per record would be paid for
public record UserRecord(
    Origin origin,
    Optional<String> partitionKey,
    Optional<String> explicitHashKey,
    long arrivalMillis,
    byte[] data) {}
