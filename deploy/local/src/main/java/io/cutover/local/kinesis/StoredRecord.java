package io.cutover.local.kinesis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * A record as the server holds it.
 *
 * @param sequenceNumber a decimal number, rising within the shard
 * @param data the producer's bytes, by reference
 */
@SuppressWarnings("ArrayRecordComponent") // Payloads are shared, not compared.
public record StoredRecord(
    String shardId,
    String sequenceNumber,
    Optional<String> partitionKey,
    Instant arrival,
    byte[] data) {

  /** What the record weighs against AWS's limits: its data and its key in UTF-8. */
  int weight() {
    return data.length + partitionKey.map(k -> k.getBytes(StandardCharsets.UTF_8).length).orElse(0);
  }
}
