package io.cutover.kafka;

import io.cutover.tally.RecordDigest;
import io.cutover.tally.Tallies;
import io.cutover.tally.Windows;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/** What the topic really holds of one copy: the tallies of its committed records. */
public final class TopicReadBack {

  private TopicReadBack() {}

  /** Reads the whole topic. A header that is missing counts as an empty one, so it shows. */
  public static Tallies tallies(TopicScan scan, String pinId, Windows windows) {
    Tallies held = new Tallies();
    RecordDigest digest = new RecordDigest(pinId);
    scan.forEach(
        record -> {
          if (OriginHeaders.text(record.headers(), OriginHeaders.PIN).equals(Optional.of(pinId))) {
            add(held, digest, record, windows.index(record.timestamp()));
          }
        });
    return held;
  }

  private static void add(
      Tallies held, RecordDigest digest, ConsumerRecord<byte[], byte[]> record, long window) {
    Headers headers = record.headers();
    String shard = OriginHeaders.text(headers, OriginHeaders.SHARD).orElse("");
    String sequence = OriginHeaders.text(headers, OriginHeaders.SEQUENCE).orElse("0");
    OptionalInt subSequence =
        OriginHeaders.text(headers, OriginHeaders.SUB_SEQUENCE).stream()
            .mapToInt(Integer::parseInt)
            .findFirst();
    Optional<byte[]> value = Optional.ofNullable(record.value());
    digest.take(
        shard, sequence, subSequence, Optional.ofNullable(record.key()), record.timestamp(), value);
    held.add(shard, window, sequence, value.map(bytes -> bytes.length).orElse(0), digest);
  }
}
