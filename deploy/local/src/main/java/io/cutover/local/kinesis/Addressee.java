package io.cutover.local.kinesis;

import java.time.Instant;
import java.util.Optional;

/** Whom a request is about, as far as it says so; faults and the record of calls go by it. */
record Addressee(Optional<String> stream, Optional<String> shardId, Optional<String> position) {

  static final Addressee UNKNOWN =
      new Addressee(Optional.empty(), Optional.empty(), Optional.empty());

  static Addressee of(String action, Arguments arguments) {
    return switch (action) {
      case "GetRecords" -> {
        ShardPosition position = ShardPosition.parse(arguments.requiredText("ShardIterator"));
        yield new Addressee(
            Optional.of(position.stream()), Optional.of(position.shardId()), Optional.empty());
      }
      case "ListShards" ->
          new Addressee(
              arguments
                  .text("NextToken")
                  .map(token -> ShardActions.NextToken.parse(token).stream())
                  .or(() -> Streams.named(arguments)),
              Optional.empty(),
              Optional.empty());
      case "GetShardIterator" ->
          new Addressee(Streams.named(arguments), arguments.text("ShardId"), position(arguments));
      case "SplitShard" ->
          new Addressee(Streams.named(arguments), arguments.text("ShardToSplit"), Optional.empty());
      case "MergeShards" ->
          new Addressee(Streams.named(arguments), arguments.text("ShardToMerge"), Optional.empty());
      default -> new Addressee(Streams.named(arguments), Optional.empty(), Optional.empty());
    };
  }

  private static Optional<String> position(Arguments arguments) {
    Optional<String> from =
        arguments
            .text("StartingSequenceNumber")
            .or(() -> arguments.instant("Timestamp").map(Instant::toString));
    return arguments.text("ShardIteratorType").map(t -> from.map(f -> t + " " + f).orElse(t));
  }

  Call call(Instant at, String action, String outcome, int records, WireFormat format) {
    return new Call(at, action, stream, shardId, position, outcome, records, format);
  }
}
