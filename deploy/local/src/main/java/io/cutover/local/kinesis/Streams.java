package io.cutover.local.kinesis;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The streams by name, and how a request names them. */
final class Streams {

  private final Map<String, EmulatedStream> byName = new ConcurrentHashMap<>();
  private final EmulatorClock clock;

  Streams(EmulatorClock clock) {
    this.clock = clock;
  }

  EmulatedStream create(String name, int shards, Instant createdAt) {
    EmulatedStream stream = new EmulatedStream(name, shards, createdAt, clock);
    if (byName.putIfAbsent(name, stream) != null) {
      throw KinesisError.inUse("Stream " + name + " already exists.");
    }
    return stream;
  }

  Optional<EmulatedStream> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  void delete(EmulatedStream stream) {
    byName.remove(stream.name(), stream);
  }

  /** The name that a request gives, by itself or within an ARN. */
  static Optional<String> named(Arguments arguments) {
    return arguments
        .text("StreamName")
        .or(() -> arguments.text("StreamARN").map(arn -> arn.substring(arn.indexOf('/') + 1)));
  }

  EmulatedStream required(Optional<String> name) {
    String stream =
        name.orElseThrow(
            () -> KinesisError.invalidArgument("StreamARN or StreamName must be given."));
    return find(stream)
        .orElseThrow(() -> KinesisError.notFound("Stream " + stream + " not found."));
  }

  /** A shard that the API knows of: neither expired nor vanished. */
  static EmulatedShard requiredShard(EmulatedStream stream, String shardId) {
    return stream.listed().stream()
        .filter(shard -> shard.id().equals(shardId))
        .findFirst()
        .orElseThrow(
            () ->
                KinesisError.notFound(
                    "Shard " + shardId + " in stream " + stream.name() + " does not exist"));
  }
}
