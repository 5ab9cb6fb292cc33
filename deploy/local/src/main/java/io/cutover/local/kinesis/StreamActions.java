package io.cutover.local.kinesis;

import io.cutover.local.kinesis.EmulatedStream.Mode;
import java.time.Duration;
import java.util.Optional;

/** CreateStream, DeleteStream, DescribeStreamSummary and the retention period. */
final class StreamActions {

  private static final int ON_DEMAND_SHARDS = 4;
  private static final int LEAST_HOURS = 24;
  private static final int MOST_HOURS = 8760;

  private final Streams streams;
  private final EmulatorClock clock;

  StreamActions(Streams streams, EmulatorClock clock) {
    this.streams = streams;
    this.clock = clock;
  }

  Answer create(Arguments arguments) {
    String name = arguments.requiredText("StreamName");
    if (!name.matches("[a-zA-Z0-9_.-]{1,128}")) {
      throw KinesisError.validation("StreamName " + name + " is not a stream's name");
    }
    Mode mode =
        arguments
            .object("StreamModeDetails")
            .map(details -> Mode.valueOf(details.requiredText("StreamMode")))
            .orElse(Mode.PROVISIONED);
    int shards =
        arguments.number("ShardCount", 1, 10_000, mode == Mode.ON_DEMAND ? ON_DEMAND_SHARDS : 1);
    streams.create(name, shards, clock.instant()).mode(mode);
    return Answer.empty();
  }

  Answer delete(Arguments arguments) {
    streams.delete(streams.required(Streams.named(arguments)));
    return Answer.empty();
  }

  Answer describe(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    Optional<String> strategy = stream.distributionStrategy();
    return Answer.of(
        (json, format) -> {
          json.writeObjectFieldStart("StreamDescriptionSummary");
          json.writeStringField("StreamName", stream.name());
          json.writeStringField("StreamARN", stream.arn());
          json.writeStringField("StreamStatus", stream.status());
          json.writeObjectFieldStart("StreamModeDetails");
          json.writeStringField("StreamMode", stream.mode().name());
          json.writeEndObject();
          json.writeNumberField("RetentionPeriodHours", stream.retention().toHours());
          json.writeFieldName("StreamCreationTimestamp");
          format.writeInstant(json, stream.creationTime());
          json.writeArrayFieldStart("EnhancedMonitoring");
          json.writeEndArray();
          json.writeStringField("EncryptionType", "NONE");
          json.writeNumberField("OpenShardCount", stream.openShards().size());
          json.writeNumberField("ConsumerCount", 0);
          json.writeNumberField("MaxRecordSizeInKiB", stream.maxRecordSizeKiB());
          if (strategy.isPresent()) {
            json.writeStringField("RecordDistributionStrategy", strategy.get());
          }
          json.writeEndObject();
        });
  }

  Answer increaseRetention(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    stream.retention(hours(arguments, stream, true));
    return Answer.empty();
  }

  Answer decreaseRetention(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    stream.retention(hours(arguments, stream, false));
    return Answer.empty();
  }

  private static Duration hours(Arguments arguments, EmulatedStream stream, boolean up) {
    int hours = arguments.number("RetentionPeriodHours").orElse(0);
    Duration asked = Duration.ofHours(hours);
    boolean wrongWay =
        up ? asked.compareTo(stream.retention()) < 0 : asked.compareTo(stream.retention()) > 0;
    if (hours < LEAST_HOURS || hours > MOST_HOURS || wrongWay) {
      throw KinesisError.invalidArgument(
          "RetentionPeriodHours "
              + hours
              + " is not within [24, 8760] on this side of the present "
              + stream.retention().toHours());
    }
    return asked;
  }
}
