package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.backfill.BenchmarkCopy;
import io.cutover.kafka.OriginHeaders;
import io.cutover.report.BackfillReport;
import io.cutover.rig.TopicContents;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Makes a copy that lacks a few records: a plain producer writes another topic with all of a whole
 * one's but those, as if a backfill under its own pin had lost them. It has that backfill's report,
 * but no witness.
 */
final class ThinnedCopy {

  private final BenchmarkCopy whole;
  private final long every;
  private long passed;

  private ThinnedCopy(BenchmarkCopy whole, long every) {
    this.whole = whole;
    this.every = every;
  }

  /** Leaves so many records out, evenly spread over those that there are. */
  static BenchmarkCopy of(BenchmarkCopy whole, long records, int without) throws Exception {
    BenchmarkCopy thinned = whole.another();
    new ThinnedCopy(whole, records / without).writeTo(thinned);
    thinned.requireRecords(records - without);
    report(whole, thinned);
    return thinned;
  }

  private void writeTo(BenchmarkCopy thinned) {
    Map<String, Object> producer =
        Map.of(
            "bootstrap.servers",
            thinned.bootstrapServers(),
            "compression.type",
            "zstd",
            "batch.size",
            65_536,
            "linger.ms",
            5);
    try (KafkaProducer<byte[], byte[]> out =
        new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer())) {
      TopicContents.forEach(
          whole.bootstrapServers(),
          whole.topic(),
          record -> {
            if (++passed % every != 0) {
              out.send(of(record, thinned));
            }
          });
    }
  }

  private static ProducerRecord<byte[], byte[]> of(
      ConsumerRecord<byte[], byte[]> record, BenchmarkCopy thinned) {
    Headers headers = new RecordHeaders(record.headers().toArray());
    headers.remove(OriginHeaders.PIN);
    headers.add(OriginHeaders.PIN, thinned.pin().id().getBytes(UTF_8));
    return new ProducerRecord<>(
        thinned.topic(),
        record.partition(),
        record.timestamp(),
        record.key(),
        record.value(),
        headers);
  }

  private static void report(BenchmarkCopy whole, BenchmarkCopy thinned) throws IOException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode report =
        (ObjectNode) json.readTree(whole.dir().resolve(BackfillReport.FILE).toFile());
    report.put("pin", thinned.pin().id());
    json.writeValue(thinned.dir().resolve(BackfillReport.FILE).toFile(), report);
  }
}
