package io.cutover.backfill;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import software.amazon.awssdk.services.kinesis.model.Record;

/**
 * The baseline: one thread a shard that calls GetRecords and sends to a transactional producer the
 * very records that the copy writes. No state, no restart, no de-aggregation, no order of shards.
 */
final class BareLoop {

  private final URI endpoint;
  private final Properties producerProperties;
  private final String topic;
  private final Instant t;

  BareLoop(URI endpoint, Properties producerProperties, String topic, Instant t) {
    this.endpoint = endpoint;
    this.producerProperties = producerProperties;
    this.topic = topic;
    this.t = t;
  }

  /** Copies everything; returns when it is committed. */
  void run(int producers, long commitMillis) throws Exception {
    List<Committing> sinks = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      sinks.add(new Committing(producer(i), commitMillis));
    }
    Header pin =
        new RecordHeader("cutover.pin", "0123456789abcdef".getBytes(StandardCharsets.UTF_8));
    new BareReading(endpoint)
        .run(
            (number, shard) -> {
              Committing sink = sinks.get(number % producers);
              Header origin =
                  new RecordHeader("kinesis.shard", shard.getBytes(StandardCharsets.UTF_8));
              return records -> sink.send(records, pin, origin);
            });
    sinks.forEach(Committing::close);
  }

  /** A transactional producer that several readers share; a commit waits for no page in hand. */
  private final class Committing {
    private final KafkaProducer<byte[], byte[]> producer;
    private final long commitNanos;
    private long lastCommit = System.nanoTime();

    Committing(KafkaProducer<byte[], byte[]> producer, long commitMillis) {
      this.producer = producer;
      this.commitNanos = commitMillis * 1_000_000;
      producer.initTransactions();
      producer.beginTransaction();
    }

    synchronized void send(List<Record> records, Header pin, Header origin) {
      for (Record record : records) {
        long arrival = record.approximateArrivalTimestamp().toEpochMilli();
        if (arrival < t.toEpochMilli()) {
          Header sequence =
              new RecordHeader(
                  "kinesis.sequence", record.sequenceNumber().getBytes(StandardCharsets.UTF_8));
          producer.send(
              new ProducerRecord<>(
                  topic,
                  null,
                  arrival,
                  record.partitionKey().getBytes(StandardCharsets.UTF_8),
                  record.data().asByteArrayUnsafe(),
                  List.of(pin, origin, sequence)));
        }
      }
      if (System.nanoTime() - lastCommit > commitNanos) {
        producer.commitTransaction();
        producer.beginTransaction();
        lastCommit = System.nanoTime();
      }
    }

    synchronized void close() {
      producer.commitTransaction();
      producer.close();
    }
  }

  private KafkaProducer<byte[], byte[]> producer(int number) {
    Properties properties = new Properties();
    properties.putAll(producerProperties);
    properties.setProperty("transactional.id", "bare-" + topic + "-" + number);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
