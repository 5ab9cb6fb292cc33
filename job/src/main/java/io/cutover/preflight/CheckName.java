package io.cutover.preflight;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every check there is. The names stand in reports and in {@code preflight.waive}: they never
 * change.
 */
public enum CheckName {
  KINESIS_REACHABLE,
  KINESIS_RIGHTS,
  STREAM_ACTIVE,
  STREAM_PINNED,
  STREAM_DISTRIBUTION,
  STREAM_BOUNDARY,
  STREAM_HEADROOM,
  STREAM_SHARDS,

  KAFKA_REACHABLE,
  TOPIC_EXISTS,
  TOPIC_RIGHTS,
  TOPIC_PINNED,
  TOPIC_PARTITIONS,
  TOPIC_TIMESTAMP_TYPE,
  TOPIC_TIMESTAMP_BEFORE,
  TOPIC_RETENTION,
  TOPIC_RETENTION_BYTES,
  TOPIC_CLEANUP_POLICY,
  TOPIC_RECORD_SIZE,
  TOPIC_MIN_ISR,
  TOPIC_UNCLEAN_ELECTION,
  PRODUCER_REQUEST_SIZE,
  PRODUCER_BUFFER,
  TOPIC_TRANSACTIONS,
  COPY_TRANSACTIONS,
  TRANSACTIONAL_ID,
  TRANSACTION_TIMEOUT,
  BROKER_TRANSACTION_TIMEOUT;

  /** As a person writes it: {@code topic-retention}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<CheckName> named(String text) {
    return Arrays.stream(values()).filter(name -> name.toString().equals(text)).findFirst();
  }
}
