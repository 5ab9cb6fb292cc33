package io.cutover.kafka;

import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How large a record of the copy can get: what the topic's {@code max.message.bytes} and the
 * producer's {@code max.request.size} must fit. This is the only place where it is worked out.
 *
 * @param maxRecordSizeKiB the most that the stream takes as one record's data
 */
public record LargestRecord(int maxRecordSizeKiB) {

  /** A partition key has at most 256 characters, each at most 4 bytes in UTF-8. */
  private static final int KEY_BYTES = 256 * 4;

  /**
   * The origin headers take some 420 bytes (shard id up to 128, sequence number up to 129, an
   * explicit hash key 39); the frame of a batch of one record some 90.
   */
  private static final int HEADER_BYTES = 1024;

  /** What a codec can add to data that does not compress: gzip the most, 5 bytes in 16 KiB. */
  private static final int CODEC_SHARE = 256;

  /** Kafka's own defaults. */
  private static final int DEFAULT_MAX_REQUEST_SIZE = 1_048_576;

  private static final long DEFAULT_BUFFER_MEMORY = 32L << 20;

  /** How many of the largest records the producer can hold at once. */
  private static final int BUFFERED = 4;

  /** The most bytes of a record with key, headers and frame. */
  public int bytes() {
    int data = maxRecordSizeKiB * 1024;
    return data + data / CODEC_SHARE + KEY_BYTES + HEADER_BYTES;
  }

  /** The producer settings that fit it: Kafka's defaults, or more where those are too little. */
  public Properties settings() {
    Properties settings = new Properties();
    settings.setProperty(
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
        Integer.toString(Math.max(DEFAULT_MAX_REQUEST_SIZE, bytes())));
    settings.setProperty(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        Long.toString(Math.max(DEFAULT_BUFFER_MEMORY, (long) BUFFERED * bytes())));
    return settings;
  }
}
