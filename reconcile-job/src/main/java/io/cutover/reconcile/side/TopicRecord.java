package io.cutover.reconcile.side;

import io.cutover.kafka.OriginHeaders;
import io.cutover.kpl.Origin;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.Utils;

/**
 * A committed record of the topic.
 *
 * @param timestamp epoch milliseconds
 * @param appendTime whether the broker stamped it when it was appended
 * @param key nothing for a record without one
 * @param value nothing for a tombstone
 * @param pin what its header says of whose copy it is
 * @param origin what its headers say of where it came from; absent when they do not say it whole
 */
public record TopicRecord(
    int partition,
    long offset,
    long timestamp,
    boolean appendTime,
    Optional<byte[]> key,
    Optional<byte[]> value,
    Optional<String> pin,
    Optional<Origin> origin) {

  // What Kinesis' API model lets these be; anything else never came from a stream.
  private static final Pattern SHARD = Pattern.compile("[a-zA-Z0-9_.-]{1,128}");
  private static final Pattern SEQUENCE = Pattern.compile("[0-9]{1,129}");
  private static final Pattern SUB_SEQUENCE = Pattern.compile("[0-9]{1,9}");

  static TopicRecord of(ConsumerRecord<byte[], byte[]> record) {
    return new TopicRecord(
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType() == TimestampType.LOG_APPEND_TIME,
        Optional.ofNullable(record.key()),
        Optional.ofNullable(record.value()),
        OriginHeaders.text(record.headers(), OriginHeaders.PIN),
        origin(record));
  }

  private static Optional<Origin> origin(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> shard =
        OriginHeaders.text(record.headers(), OriginHeaders.SHARD)
            .filter(text -> SHARD.matcher(text).matches());
    Optional<String> sequence =
        OriginHeaders.text(record.headers(), OriginHeaders.SEQUENCE)
            .filter(text -> SEQUENCE.matcher(text).matches());
    Optional<String> sub = OriginHeaders.text(record.headers(), OriginHeaders.SUB_SEQUENCE);
    boolean whole =
        shard.isPresent()
            && sequence.isPresent()
            && sub.map(text -> SUB_SEQUENCE.matcher(text).matches()).orElse(true);
    return whole
        ? Optional.of(
            new Origin(
                shard.get(),
                sequence.get(),
                sub.map(text -> OptionalInt.of(Integer.parseInt(text)))
                    .orElseGet(OptionalInt::empty)))
        : Optional.empty();
  }

  /** Whether it is of this copy, and says of which record. */
  public boolean isOf(String pinId) {
    return origin.isPresent() && pin.equals(Optional.of(pinId));
  }

  /** Whether its key belongs to another partition; a record without a key belongs to any. */
  public boolean misplaced(int partitions) {
    return key.map(bytes -> Utils.toPositive(Utils.murmur2(bytes)) % partitions != partition)
        .orElse(false);
  }

  /** Where it stands, for a person. */
  public String place() {
    return "partition " + partition + " offset " + offset;
  }
}
