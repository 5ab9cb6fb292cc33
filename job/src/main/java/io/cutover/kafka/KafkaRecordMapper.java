package io.cutover.kafka;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kpl.UserRecord;
import io.cutover.source.LineageOutput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetIdentifier;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacetProvider;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;

/**
 * The Kafka record of a user record: its key verbatim, its data untouched, its arrival as the
 * timestamp, its origin in the headers, and the partition that Kafka's own key hash gives over the
 * frozen partition count, however many the topic has by now.
 *
 * <p>Runs on the TaskManager. Refuses a record without a partition key unless the copy carries
 * none.
 */
public final class KafkaRecordMapper
    implements KafkaRecordSerializationSchema<LineageOutput>, KafkaDatasetFacetProvider {

  private static final long serialVersionUID = 1L;

  private final String topic;
  private final int partitions;
  private final KafkaOptions.Key key;
  private final String pinId;
  private transient Header pin;

  public KafkaRecordMapper(String topic, int partitions, KafkaOptions.Key key, String pinId) {
    this.topic = topic;
    this.partitions = partitions;
    this.key = key;
    this.pinId = pinId;
  }

  /** Nothing for an output that is no record: the sink then writes nothing. */
  @Override
  @Nullable
  public ProducerRecord<byte[], byte[]> serialize(
      LineageOutput output, KafkaSinkContext context, Long timestamp) {
    return output instanceof LineageOutput.Copied copied ? map(copied.record()) : null;
  }

  ProducerRecord<byte[], byte[]> map(UserRecord record) {
    if (pin == null) {
      pin = OriginHeaders.header(OriginHeaders.PIN, pinId);
    }
    Optional<byte[]> keyBytes = keyBytes(record);
    return new ProducerRecord<>(
        topic,
        keyBytes.map(this::partition).orElse(null), // without a key, the producer's own choice
        record.arrivalMillis(),
        keyBytes.orElse(null),
        record.data(),
        OriginHeaders.of(pin, record));
  }

  private Optional<byte[]> keyBytes(UserRecord record) {
    if (key == KafkaOptions.Key.NONE) {
      return Optional.empty();
    }
    String partitionKey =
        record
            .partitionKey()
            .orElseThrow(
                () ->
                    new SuppressRestartsException(
                        new Refusal(
                            Reason.KEY_MISSING,
                            "the record "
                                + record.origin()
                                + " has no partition key: the stream's distribution strategy was"
                                + " AUTO when it was written, so its order by key is undefined. Set "
                                + KafkaOptions.KEY.key()
                                + " = none to copy the stream without keys, into an empty topic")));
    return Optional.of(partitionKey.getBytes(StandardCharsets.UTF_8));
  }

  private int partition(byte[] keyBytes) {
    return Utils.toPositive(Utils.murmur2(keyBytes)) % partitions;
  }

  /** Tells the sink which topic it writes to: it lists that topic's transactions. */
  @Override
  public Optional<KafkaDatasetFacet> getKafkaDatasetFacet() {
    return Optional.of(
        new DefaultKafkaDatasetFacet(DefaultKafkaDatasetIdentifier.ofTopics(List.of(topic))));
  }
}
