package io.cutover.reconcile.side;

import io.cutover.kafka.OriginHeaders;
import io.cutover.kpl.Origin;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
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
  private static final int MOST_OF_A_SHARD_ID = 128;
  private static final int MOST_OF_A_SEQUENCE = 129;
  private static final int MOST_OF_A_SUB_SEQUENCE = 9;

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
            .filter(text -> isMadeOf(text, MOST_OF_A_SHARD_ID, TopicRecord::inShardIds));
    Optional<String> sequence =
        OriginHeaders.text(record.headers(), OriginHeaders.SEQUENCE)
            .filter(text -> isMadeOf(text, MOST_OF_A_SEQUENCE, TopicRecord::isDigit));
    Optional<String> sub = OriginHeaders.text(record.headers(), OriginHeaders.SUB_SEQUENCE);
    boolean whole =
        shard.isPresent()
            && sequence.isPresent()
            && sub.map(text -> isMadeOf(text, MOST_OF_A_SUB_SEQUENCE, TopicRecord::isDigit))
                .orElse(true);
    return whole
        ? Optional.of(
            new Origin(
                shard.get(),
                sequence.get(),
                sub.map(text -> OptionalInt.of(Integer.parseInt(text)))
                    .orElseGet(OptionalInt::empty)))
        : Optional.empty();
  }

  private static boolean isMadeOf(String text, int most, IntPredicate allowed) {
    return !text.isEmpty() && text.length() <= most && text.chars().allMatch(allowed);
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  private static boolean inShardIds(int character) {
    return isDigit(character)
        || (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || character == '_'
        || character == '.'
        || character == '-';
  }

  /** Whether it is of this copy, and says of which record. */
  public boolean isOf(String pinId) {
    return origin.isPresent() && pin.equals(Optional.of(pinId));
  }

  /** Whether it is of a copy under another pin, and says of which record. */
  public boolean isOfAnotherPin(String pinId) {
    return origin.isPresent() && pin.map(other -> !other.equals(pinId)).orElse(false);
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
