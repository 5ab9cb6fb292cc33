package io.cutover.reconcile.side;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.pin.Pins;
import io.cutover.reconcile.plan.Plans;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.utils.Utils;

/**
 * Records of both sides that belong together, in the partitions that the pin of {@link Plans} has.
 */
public final class Written {

  private static final int PARTITIONS = Pins.any().topic().partitions();

  private Written() {}

  /** A record of the stream. */
  public static UserRecord record(String shard, String sequence, long arrivalMillis) {
    return new UserRecord(
        new Origin(shard, sequence, OptionalInt.empty()),
        Optional.of("key-" + sequence),
        Optional.empty(),
        arrivalMillis,
        ("value of " + sequence).getBytes(UTF_8));
  }

  public static UserRecord record(String sequence, long arrivalMillis) {
    return record(Plans.SHARD, sequence, arrivalMillis);
  }

  /** Its copy, as it ought to be. */
  public static TopicRecord copy(UserRecord record, long offset) {
    Optional<byte[]> key = record.partitionKey().map(text -> text.getBytes(UTF_8));
    return new TopicRecord(
        key.map(Written::home).orElse(0),
        offset,
        record.arrivalMillis(),
        false,
        key,
        Optional.of(record.data()),
        Optional.of(Plans.PIN),
        Optional.of(record.origin()));
  }

  private static int home(byte[] key) {
    return Utils.toPositive(Utils.murmur2(key)) % PARTITIONS;
  }

  /** With another timestamp. */
  public static TopicRecord at(long millis, TopicRecord copy) {
    return new TopicRecord(
        copy.partition(),
        copy.offset(),
        millis,
        copy.appendTime(),
        copy.key(),
        copy.value(),
        copy.pin(),
        copy.origin());
  }

  /** Elsewhere in the topic. */
  public static TopicRecord at(int partition, long offset, TopicRecord copy) {
    return new TopicRecord(
        partition,
        offset,
        copy.timestamp(),
        copy.appendTime(),
        copy.key(),
        copy.value(),
        copy.pin(),
        copy.origin());
  }

  /** In a partition to which its key does not belong. */
  public static TopicRecord misplaced(TopicRecord copy) {
    return at((copy.partition() + 1) % PARTITIONS, copy.offset(), copy);
  }

  public static TopicRecord withKey(Optional<byte[]> key, TopicRecord copy) {
    return new TopicRecord(
        key.map(Written::home).orElse(0),
        copy.offset(),
        copy.timestamp(),
        copy.appendTime(),
        key,
        copy.value(),
        copy.pin(),
        copy.origin());
  }

  public static TopicRecord withValue(Optional<byte[]> value, TopicRecord copy) {
    return new TopicRecord(
        copy.partition(),
        copy.offset(),
        copy.timestamp(),
        copy.appendTime(),
        copy.key(),
        value,
        copy.pin(),
        copy.origin());
  }

  public static TopicRecord saying(
      Optional<String> pin, Optional<Origin> origin, TopicRecord copy) {
    return new TopicRecord(
        copy.partition(),
        copy.offset(),
        copy.timestamp(),
        copy.appendTime(),
        copy.key(),
        copy.value(),
        pin,
        origin);
  }

  static TopicRecord stamped(long millis, TopicRecord copy) {
    return new TopicRecord(
        copy.partition(),
        copy.offset(),
        millis,
        true,
        copy.key(),
        copy.value(),
        copy.pin(),
        copy.origin());
  }
}
