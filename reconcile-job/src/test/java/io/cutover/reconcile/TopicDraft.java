package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * What a topic is to hold: of each partition its records in order. Records are named by their
 * origin, {@code shard/sequence} or {@code shard/sequence/subsequence}, and must be there.
 */
final class TopicDraft {

  private final String topic;
  private final SortedMap<Integer, List<ProducerRecord<byte[], byte[]>>> partitions =
      new TreeMap<>();

  TopicDraft(String topic, List<ConsumerRecord<byte[], byte[]>> contents) {
    this.topic = topic;
    for (ConsumerRecord<byte[], byte[]> record : contents) {
      in(record.partition())
          .add(
              new ProducerRecord<>(
                  topic,
                  record.partition(),
                  record.timestamp(),
                  record.key(),
                  record.value(),
                  record.headers()));
    }
  }

  SortedMap<Integer, List<ProducerRecord<byte[], byte[]>>> partitions() {
    return partitions;
  }

  /** The records of one partition; the list may be changed. */
  List<ProducerRecord<byte[], byte[]>> in(int partition) {
    return partitions.computeIfAbsent(partition, p -> new ArrayList<>());
  }

  ProducerRecord<byte[], byte[]> record(String origin) {
    Spot spot = spot(origin);
    return in(spot.partition()).get(spot.index());
  }

  private record Spot(int partition, int index) {}

  private Spot spot(String origin) {
    for (var partition : partitions.entrySet()) {
      for (int i = 0; i < partition.getValue().size(); i++) {
        if (origin(partition.getValue().get(i)).equals(Optional.of(origin))) {
          return new Spot(partition.getKey(), i);
        }
      }
    }
    throw new IllegalArgumentException("topic " + topic + " holds no record of origin " + origin);
  }

  static Optional<String> origin(ProducerRecord<byte[], byte[]> record) {
    Optional<String> sub = header(record, "kinesis.subsequence");
    return header(record, "kinesis.shard")
        .flatMap(
            shard ->
                header(record, "kinesis.sequence")
                    .map(sequence -> shard + "/" + sequence + sub.map(s -> "/" + s).orElse("")));
  }

  private static Optional<String> header(ProducerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? Optional.empty() : Optional.of(new String(header.value(), UTF_8));
  }

  // ---- what can be done to it

  void drop(String origin) {
    Spot spot = spot(origin);
    in(spot.partition()).remove(spot.index());
  }

  void dropIf(Predicate<ProducerRecord<byte[], byte[]>> which) {
    partitions.values().forEach(records -> records.removeIf(which));
  }

  /** All that was copied of a shard. */
  void dropShard(String shard) {
    dropIf(record -> header(record, "kinesis.shard").equals(Optional.of(shard)));
  }

  /** Once more, right behind itself. */
  void twice(String origin) {
    Spot spot = spot(origin);
    in(spot.partition()).add(spot.index(), record(origin));
  }

  /** Once more, at the end of its partition. */
  void again(String origin) {
    append(record(origin));
  }

  /** The one stands where the other stood; each stays in the partition where it is then. */
  void swap(String one, String other) {
    Spot first = spot(one);
    Spot second = spot(other);
    ProducerRecord<byte[], byte[]> firstRecord = record(one);
    ProducerRecord<byte[], byte[]> secondRecord = record(other);
    in(first.partition()).set(first.index(), inPartition(secondRecord, first.partition()));
    in(second.partition()).set(second.index(), inPartition(firstRecord, second.partition()));
  }

  /** To the front of its partition. */
  void toFront(String origin) {
    ProducerRecord<byte[], byte[]> record = record(origin);
    drop(origin);
    in(record.partition()).add(0, record);
  }

  /** To the end of another partition. */
  void move(String origin, int partition) {
    ProducerRecord<byte[], byte[]> record = record(origin);
    drop(origin);
    append(inPartition(record, partition));
  }

  void alter(String origin, UnaryOperator<ProducerRecord<byte[], byte[]>> how) {
    Spot spot = spot(origin);
    in(spot.partition()).set(spot.index(), how.apply(record(origin)));
  }

  /** To the end of the record's partition. */
  void append(ProducerRecord<byte[], byte[]> record) {
    in(record.partition()).add(record);
  }

  /** A record of somebody else, without an origin. */
  ProducerRecord<byte[], byte[]> foreign(int partition, long timestamp, String text) {
    return new ProducerRecord<>(
        topic, partition, timestamp, text.getBytes(UTF_8), text.getBytes(UTF_8));
  }

  // ---- how a record can be altered

  static UnaryOperator<ProducerRecord<byte[], byte[]>> bitFlipped() {
    return record -> {
      byte[] value = record.value().clone();
      value[value.length / 2] ^= 1;
      return of(record, record.timestamp(), record.key(), value, record.headers().toArray());
    };
  }

  static UnaryOperator<ProducerRecord<byte[], byte[]>> withValue(byte[] value) {
    return record ->
        of(record, record.timestamp(), record.key(), value, record.headers().toArray());
  }

  static UnaryOperator<ProducerRecord<byte[], byte[]>> withKey(Optional<byte[]> key) {
    return record ->
        of(
            record,
            record.timestamp(),
            key.orElse(null),
            record.value(),
            record.headers().toArray());
  }

  static UnaryOperator<ProducerRecord<byte[], byte[]>> withTimestamp(long millis) {
    return record -> of(record, millis, record.key(), record.value(), record.headers().toArray());
  }

  static UnaryOperator<ProducerRecord<byte[], byte[]>> withoutHeader(String name) {
    return record -> {
      ProducerRecord<byte[], byte[]> copy = inPartition(record, record.partition());
      copy.headers().remove(name);
      return copy;
    };
  }

  static UnaryOperator<ProducerRecord<byte[], byte[]>> withHeader(String name, String value) {
    return record -> {
      ProducerRecord<byte[], byte[]> copy = inPartition(record, record.partition());
      copy.headers().remove(name).add(name, value.getBytes(UTF_8));
      return copy;
    };
  }

  static ProducerRecord<byte[], byte[]> inPartition(
      ProducerRecord<byte[], byte[]> record, int partition) {
    return new ProducerRecord<>(
        record.topic(),
        partition,
        record.timestamp(),
        record.key(),
        record.value(),
        new RecordHeaders(record.headers().toArray()));
  }

  private static ProducerRecord<byte[], byte[]> of(
      ProducerRecord<byte[], byte[]> record,
      long timestamp,
      byte[] key,
      byte[] value,
      Header[] headers) {
    return new ProducerRecord<>(
        record.topic(), record.partition(), timestamp, key, value, new RecordHeaders(headers));
  }
}
