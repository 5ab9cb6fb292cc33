package io.cutover.kinesis;

import java.util.Optional;

/**
 * One record as GetRecords returned it: perhaps a user record, perhaps a KPL aggregate of many.
 *
 * @param sequenceNumber decimal digits, ordered within its shard only, and as a big integer
 * @param partitionKey absent where the stream's distribution strategy ignored it
 * @param arrivalMillis ApproximateArrivalTimestamp in epoch milliseconds, the server's clock
 * @param data the payload, never copied: nobody may write to it
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; a copy per record would be paid for
public record KinesisRecord(
    String sequenceNumber, Optional<String> partitionKey, long arrivalMillis, byte[] data) {}
