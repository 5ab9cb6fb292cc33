package io.cutover.backfill;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

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
    try (KinesisClient kinesis = client()) {
      List<String> shards =
          kinesis.listShards(r -> r.streamName(BenchmarkServer.STREAM)).shards().stream()
              .map(shard -> shard.shardId())
              .toList();
      List<Committing> sinks = new ArrayList<>();
      for (int i = 0; i < producers; i++) {
        sinks.add(new Committing(producer(i), commitMillis));
      }
      ExecutorService threads = Executors.newFixedThreadPool(shards.size());
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < shards.size(); i++) {
        String shard = shards.get(i);
        Committing sink = sinks.get(i % producers);
        readers.add(threads.submit(() -> copy(kinesis, shard, sink)));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
      threads.shutdown();
      sinks.forEach(Committing::close);
    }
  }

  private void copy(KinesisClient kinesis, String shard, Committing sink) {
    Header pin =
        new RecordHeader("cutover.pin", "0123456789abcdef".getBytes(StandardCharsets.UTF_8));
    Header origin = new RecordHeader("kinesis.shard", shard.getBytes(StandardCharsets.UTF_8));
    String iterator =
        kinesis
            .getShardIterator(
                r ->
                    r.streamName(BenchmarkServer.STREAM)
                        .shardId(shard)
                        .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
            .shardIterator();
    while (true) {
      String at = iterator;
      GetRecordsResponse page = kinesis.getRecords(r -> r.shardIterator(at).limit(10_000));
      sink.send(page.records(), pin, origin);
      iterator = page.nextShardIterator();
      if (iterator == null || page.millisBehindLatest() == 0) {
        return;
      }
    }
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

  private KinesisClient client() {
    return KinesisClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }
}
