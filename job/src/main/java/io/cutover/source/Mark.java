package io.cutover.source;

/**
 * A place in a shard: a Kinesis record that was read.
 *
 * @param sequenceNumber decimal digits
 * @param arrivalMillis its arrival, epoch milliseconds
 */
public record Mark(String sequenceNumber, long arrivalMillis) {}
