package io.cutover.kafka;

import io.cutover.tally.Tallier;
import io.cutover.tally.Tallies;
import io.cutover.tally.Windows;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;

/** What the topic really holds of one copy: the tallies of its committed records. */
public final class TopicReadBack {

  private TopicReadBack() {}

  /** Reads the whole topic. A header that is missing counts as an empty one, so it shows. */
  public static Tallies tallies(TopicScan scan, String pinId, Windows windows) {
    Tallier held = new Tallier(pinId, windows);
    scan.forEach(
        record -> {
          if (OriginHeaders.text(record.headers(), OriginHeaders.PIN).equals(Optional.of(pinId))) {
            take(held, record);
          }
        });
    return held.tallies();
  }

  private static void take(Tallier held, ConsumerRecord<byte[], byte[]> record) {
    Headers headers = record.headers();
    held.take(
        OriginHeaders.text(headers, OriginHeaders.SHARD).orElse(""),
        OriginHeaders.text(headers, OriginHeaders.SEQUENCE).orElse("0"),
        OriginHeaders.text(headers, OriginHeaders.SUB_SEQUENCE).stream()
            .mapToInt(Integer::parseInt)
            .findFirst(),
        Optional.ofNullable(record.key()),
        record.timestamp(),
        Optional.ofNullable(record.value()));
  }
}
