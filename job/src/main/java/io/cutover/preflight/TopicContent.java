package io.cutover.preflight;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.OriginHeaders;
import io.cutover.kafka.TopicScan;
import io.cutover.pin.Pin;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the topic may hold when a copy begins: no committed record of this pin, and nobody's from
 * before T. Records from T on without our origin are a dual write's: allowed, and counted.
 */
public final class TopicContent {

  private static final Logger LOG = LoggerFactory.getLogger(TopicContent.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KafkaClientProperties kafka;
  private final Pin pin;

  public TopicContent(KafkaClientProperties kafka, Pin pin) {
    this.kafka = kafka;
    this.pin = pin;
  }

  /**
   * A dual write's records.
   *
   * @param first where the first one stands that was met
   */
  public record Live(long count, Optional<String> first) {

    static final Live NONE = new Live(0, Optional.empty());

    Live plus(ConsumerRecord<byte[], byte[]> record) {
      return new Live(
          count + 1,
          first.or(
              () ->
                  Optional.of(
                      at(record) + ", timestamp " + Instant.ofEpochMilli(record.timestamp()))));
    }
  }

  /**
   * Reads the whole topic.
   *
   * @throws Refusal at the first record that must not be there
   */
  public Live check() {
    Live[] live = {Live.NONE};
    new TopicScan(kafka.consumer(), pin.topic().name(), PATIENCE)
        .forEach(
            record -> {
              check(record);
              live[0] = live[0].plus(record);
            });
    LOG.info(
        "Topic {} holds {} records from T on{}, none from before it.",
        pin.topic().name(),
        live[0].count(),
        live[0].first().map(first -> " (the first: " + first + ")").orElse(""));
    return live[0];
  }

  private void check(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> origin = OriginHeaders.text(record.headers(), OriginHeaders.PIN);
    if (origin.equals(Optional.of(pin.id()))) {
      throw new Refusal(
          Reason.COPY_BEGUN,
          "topic "
              + pin.topic().name()
              + " already holds records of this copy ("
              + at(record)
              + "). Take up its last checkpoint or savepoint with flink run -s; or, to begin again,"
              + " delete the topic's records first");
    }
    if (record.timestamp() < pin.boundary().toEpochMilli()) {
      throw new Refusal(
          Reason.FOREIGN_RECORDS,
          "topic "
              + pin.topic().name()
              + " holds a record from before T that is not this copy's ("
              + at(record)
              + ", timestamp "
              + Instant.ofEpochMilli(record.timestamp())
              + ", pin "
              + origin.orElse("none")
              + "; T is "
              + pin.boundary()
              + "). Copied beside it, history would be doubled: use an empty topic, or pin a T"
              + " behind the last record that went to Kinesis only and before the first of the dual"
              + " write");
    }
  }

  private static String at(ConsumerRecord<byte[], byte[]> record) {
    return "partition " + record.partition() + ", offset " + record.offset();
  }
}
