package io.cutover.kafka;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the topic really holds of one copy, per shard: committed records and their value bytes. */
public final class TopicReadBack {

  /** Records and value bytes. */
  public record Held(long records, long bytes) {
    public static final Held NOTHING = new Held(0, 0);

    Held plus(long moreBytes) {
      return new Held(records + 1, bytes + moreBytes);
    }
  }

  private TopicReadBack() {}

  /** Reads the whole topic. */
  public static Map<String, Held> perShard(TopicScan scan, String pinId) {
    Map<String, Held> held = new TreeMap<>();
    scan.forEach(
        record -> {
          boolean ours =
              OriginHeaders.text(record.headers(), OriginHeaders.PIN).equals(Optional.of(pinId));
          if (ours) {
            String shard = OriginHeaders.text(record.headers(), OriginHeaders.SHARD).orElse("");
            long bytes = record.value() == null ? 0 : record.value().length;
            held.put(shard, held.getOrDefault(shard, Held.NOTHING).plus(bytes));
          }
        });
    return held;
  }
}
