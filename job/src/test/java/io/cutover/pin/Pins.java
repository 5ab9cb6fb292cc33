package io.cutover.pin;

import io.cutover.CutoverDir;
import io.cutover.config.PinOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kafka.Topic;
import io.cutover.kafka.TopicDescription;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.StreamDescription;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Pins for tests. */
public final class Pins {

  private Pins() {}

  /** Of what is there now, whatever T is: nothing of it is checked. */
  public static Pin unchecked(Configuration config, Instant t) {
    TopicDescription topic =
        Topic.describe(KafkaClientProperties.load(config), config.get(KafkaOptions.TOPIC));
    try (KinesisStream door = new KinesisStream(config, 1)) {
      StreamDescription stream = door.describe();
      return pin(config, t, stream, topic, List.copyOf(door.shards()));
    }
  }

  private static Pin pin(
      Configuration config,
      Instant t,
      StreamDescription stream,
      TopicDescription topic,
      List<Shard> shards) {
    return new Pin(
        stream.serverTime(),
        t,
        stream.horizon(),
        PinCheck.windowStart(config, t, stream.horizon()),
        config.get(PinOptions.TALLY_WINDOW),
        new Pin.PinnedStream(
            stream.name(),
            stream.arn(),
            stream.createdAt(),
            stream.mode(),
            stream.distributionStrategy(),
            stream.retention(),
            stream.maxRecordSizeKiB()),
        new Pin.PinnedTopic(topic.name(), topic.id(), topic.partitions()),
        shards,
        shards.stream().filter(shard -> !shard.closed()).map(Shard::id).toList(),
        shards.stream()
            .filter(shard -> shard.parents().isEmpty())
            .map(shard -> new Pin.OldestArrival(shard.id(), Optional.empty()))
            .toList());
  }

  /** Writes it as the command does. */
  public static void write(Pin pin, CutoverDir dir) {
    new PinFile(dir).write(pin);
  }

  /** Of nothing that exists. */
  public static Pin any() {
    return of("arn:aws:kinesis:eu-west-1:123456789012:stream/orders", "orders");
  }

  public static Pin of(String streamArn, String topic) {
    Instant t = Instant.parse("2026-03-01T12:00:00.500Z");
    return new Pin(
        t.plusSeconds(60),
        t,
        t.minusSeconds(86_400),
        t.minusSeconds(86_400),
        Duration.ofHours(1),
        new Pin.PinnedStream(
            "orders",
            streamArn,
            Instant.parse("2020-01-01T00:00:00Z"),
            Optional.of("PROVISIONED"),
            Optional.empty(),
            Duration.ofDays(1),
            1024),
        new Pin.PinnedTopic(topic, "dGhlIHRvcGljJ3MgaWQ", 4),
        List.of(new Shard("shardId-000000000000", List.of(), HashRange.ALL, false)),
        List.of("shardId-000000000000"),
        List.of(new Pin.OldestArrival("shardId-000000000000", Optional.of(t.minusSeconds(3600)))));
  }

  /** Of a stream that was split and merged, with every kind of value that a pin can have. */
  public static Pin resharded() {
    Pin any = any();
    BigInteger half = HashRange.MAX.shiftRight(1);
    HashRange low = new HashRange(BigInteger.ZERO, half);
    HashRange high = new HashRange(half.add(BigInteger.ONE), HashRange.MAX);
    return new Pin(
        any.pinnedAt(),
        any.boundary(),
        any.start(),
        any.boundary().minusSeconds(7200),
        Duration.ofMinutes(30),
        new Pin.PinnedStream(
            "orders",
            any.stream().arn(),
            Instant.parse("2020-01-01T00:00:00.123Z"),
            Optional.of("ON_DEMAND"),
            Optional.of("USER_PARTITION_KEY"),
            Duration.ofHours(168),
            10_240),
        any.topic(),
        List.of(
            new Shard("shardId-000000000001", List.of("shardId-000000000000"), low, true),
            new Shard("shardId-000000000002", List.of("shardId-000000000000"), high, true),
            new Shard(
                "shardId-000000000003",
                List.of("shardId-000000000001", "shardId-000000000002"),
                HashRange.ALL,
                false)),
        List.of("shardId-000000000001", "shardId-000000000002"),
        List.of(
            new Pin.OldestArrival(
                "shardId-000000000001", Optional.of(any.start().plusMillis(3_600_001))),
            new Pin.OldestArrival("shardId-000000000002", Optional.empty())));
  }
}
