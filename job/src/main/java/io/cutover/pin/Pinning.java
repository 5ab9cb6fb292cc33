package io.cutover.pin;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.CutoverConfig;
import io.cutover.config.PinOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kafka.Topic;
import io.cutover.kafka.TopicDescription;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.StreamDescription;
import io.cutover.lineage.Lineage;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin.PinnedStream;
import io.cutover.pin.Pin.PinnedTopic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * The act of pinning: looks at stream and topic, and freezes what it sees. Runs on the client;
 * writes nothing.
 *
 * <p>Refuses a T in the future or behind the trim horizon, and a stream whose oldest records are
 * about to expire.
 */
final class Pinning {

  private static final int PROBES_AT_ONCE = 32;

  private final Configuration config;
  private final KafkaClientProperties kafka;

  Pinning(Configuration config, KafkaClientProperties kafka) {
    this.config = config;
    this.kafka = kafka;
  }

  Pin pin() {
    TopicDescription topic = Topic.describe(kafka, config.get(KafkaOptions.TOPIC));
    Pin pin = KinesisAnswer.of(config, "pinned", stream -> pin(stream, topic));
    checkHeadroom(pin);
    return pin;
  }

  private Pin pin(KinesisStream door, TopicDescription topic) {
    StreamDescription stream = door.describe();
    Instant boundary =
        CutoverConfig.instantIfSet(config, PinOptions.BOUNDARY).orElse(stream.serverTime());
    checkBoundary(boundary, stream);
    Lineage lineage = Lineage.of(door.shards());
    return new Pin(
        stream.serverTime(),
        boundary,
        stream.horizon(),
        PinCheck.windowStart(config, boundary, stream.horizon()),
        config.get(PinOptions.TALLY_WINDOW),
        new PinnedStream(
            stream.name(),
            stream.arn(),
            stream.createdAt(),
            stream.mode(),
            stream.distributionStrategy(),
            stream.retention(),
            stream.maxRecordSizeKiB()),
        new PinnedTopic(topic.name(), topic.id(), topic.partitions()),
        List.copyOf(lineage.shards()),
        door.shardsOpenAt(boundary).stream().map(Shard::id).sorted().toList(),
        new OldestArrivals(door, PROBES_AT_ONCE).of(lineage));
  }

  private static void checkBoundary(Instant boundary, StreamDescription stream) {
    // The server's clock comes in whole seconds, rounded down.
    if (boundary.isAfter(stream.serverTime().plusSeconds(1))) {
      throw new Refusal(
          Reason.BOUNDARY_UNUSABLE,
          "T is "
              + boundary
              + ", in the future: the server's clock shows "
              + stream.serverTime()
              + ". Give a T that has passed");
    }
    if (!boundary.isAfter(stream.horizon())) {
      throw new Refusal(
          Reason.BOUNDARY_UNUSABLE,
          "T is "
              + boundary
              + ", but stream "
              + stream.name()
              + " retains nothing from before "
              + stream.horizon()
              + ": there would be nothing to copy. Give a later T");
    }
  }

  private void checkHeadroom(Pin pin) {
    Duration wanted = config.get(PinOptions.HEADROOM);
    pin.headroom()
        .filter(headroom -> headroom.compareTo(wanted) < 0)
        .ifPresent(
            headroom -> {
              throw new Refusal(
                  Reason.HEADROOM_TOO_SMALL,
                  "the oldest record of stream "
                      + pin.stream().name()
                      + " expires in "
                      + headroom
                      + ", but "
                      + PinOptions.HEADROOM.key()
                      + " wants "
                      + wanted
                      + ": a copy would lose the race. Raise the retention first (it revives"
                      + " nothing, but stops the clock): "
                      + Retention.raise(pin.stream(), headroom, wanted)
                      + "; or set "
                      + PinOptions.HEADROOM.key()
                      + " = 0 to accept that what expires is not copied");
            });
  }
}
