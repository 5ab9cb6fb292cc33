package io.cutover.pin;

import io.cutover.lineage.Lineage;
import io.cutover.lineage.Shard;
import io.cutover.tally.Sha256;
import io.cutover.tally.Windows;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What a cutover froze once: T, where history began, what the stream and the topic were. Nothing of
 * it is ever derived again.
 *
 * @param pinnedAt the Kinesis server's clock
 * @param boundary T, in whole milliseconds
 * @param start the backfill start: the trim horizon at the pin. What had expired by then was never
 *     this cutover's
 * @param windowStart what is compared begins here and ends at T; not before the start
 * @param tallyWindow the length of the windows that are counted, the last of which ends at T
 * @param shards every shard in retention, as listed
 * @param openAtBoundary the ids of the shards that were open at T
 * @param oldest of each shard without a listed parent, and of the children of each that was closed
 *     and held nothing any more
 */
public record Pin(
    Instant pinnedAt,
    Instant boundary,
    Instant start,
    Instant windowStart,
    Duration tallyWindow,
    PinnedStream stream,
    PinnedTopic topic,
    List<Shard> shards,
    List<String> openAtBoundary,
    List<OldestArrival> oldest)
    implements Serializable {

  private static final int ID_BYTES = 8;

  /**
   * The stream when it was pinned.
   *
   * @param createdAt tells it from another that was created under its name
   * @param mode PROVISIONED or ON_DEMAND, where the server told
   * @param distributionStrategy USER_PARTITION_KEY or AUTO, where the server told
   */
  public record PinnedStream(
      String name,
      String arn,
      Instant createdAt,
      Optional<String> mode,
      Optional<String> distributionStrategy,
      Duration retention,
      int maxRecordSizeKiB) {}

  /**
   * The topic when it was pinned.
   *
   * @param id Kafka's own, which tells it from another that was created under its name
   */
  public record PinnedTopic(String name, String id, int partitions) {}

  /**
   * The oldest record that a shard held.
   *
   * @param arrival absent when it held none
   */
  public record OldestArrival(String shard, Optional<Instant> arrival) {}

  public Pin {
    shards = List.copyOf(shards);
    openAtBoundary = List.copyOf(openAtBoundary);
    oldest = List.copyOf(oldest);
  }

  /**
   * Sixteen hexadecimal digits that mark every record of this copy. The same stream, topic,
   * partition count and T always come to the same, so that a run knows what an earlier one wrote
   * even when the pin file was lost.
   */
  public String id() {
    String identity =
        String.join(
            "\n",
            stream.arn(),
            stream.createdAt().toString(),
            topic.name(),
            topic.id(),
            Integer.toString(topic.partitions()),
            boundary.toString());
    byte[] digest = Sha256.begun().digest(identity.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest, 0, ID_BYTES);
  }

  /** The windows that are tallied. */
  public Windows tallies() {
    return new Windows(boundary, tallyWindow);
  }

  /** The shards when the stream was pinned; it can only have grown since. */
  public Lineage lineage() {
    return Lineage.of(shards);
  }

  /** The arrival of the oldest record that the stream held; absent when it held none. */
  public Optional<Instant> oldestArrival() {
    return oldest.stream().flatMap(one -> one.arrival().stream()).min(Instant::compareTo);
  }

  /** How far the oldest record was from expiring; absent when the stream held none. */
  public Optional<Duration> headroom() {
    return oldestArrival()
        .map(arrival -> Duration.between(pinnedAt.minus(stream.retention()), arrival));
  }

  /** Its JSON travels with the job: what it is made of is not all serializable. */
  private Object writeReplace() {
    return new Travelling(PinJson.text(this));
  }

  private record Travelling(String json) implements Serializable {
    private Object readResolve() {
      return PinJson.pin(json);
    }
  }
}
