package io.cutover.local.kinesis;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;

/**
 * A record to be stored, with what AWS would not let a producer choose: its arrival.
 *
 * @param partitionKey empty stores a record without a key, as an AUTO distributed stream can hold
 * @param explicitHashKey overrides the key's MD5 when the record is routed by key
 * @param data kept by reference, never copied
 * @param arrival any instant: past, future, before the arrival of the record in front of it
 */
@SuppressWarnings("ArrayRecordComponent") // Payloads are shared, not compared.
public record PutSpec(
    Optional<String> partitionKey,
    Optional<BigInteger> explicitHashKey,
    byte[] data,
    Instant arrival) {

  /** A record with a key and no explicit hash key. */
  public static PutSpec of(String partitionKey, byte[] data, Instant arrival) {
    return new PutSpec(Optional.of(partitionKey), Optional.empty(), data, arrival);
  }

  /** A record without a key. */
  public static PutSpec withoutKey(byte[] data, Instant arrival) {
    return new PutSpec(Optional.empty(), Optional.empty(), data, arrival);
  }

  /** The same record, routed by this hash key. */
  public PutSpec explicitHashKey(BigInteger hashKey) {
    return new PutSpec(partitionKey, Optional.of(hashKey), data, arrival);
  }
}
