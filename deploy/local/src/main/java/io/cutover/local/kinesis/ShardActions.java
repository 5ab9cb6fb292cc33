package io.cutover.local.kinesis;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** ListShards, SplitShard and MergeShards. */
final class ShardActions {

  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final int MOST = 10_000;

  private final Streams streams;
  private final EmulatorClock clock;

  ShardActions(Streams streams, EmulatorClock clock) {
    this.streams = streams;
    this.clock = clock;
  }

  /** Where a listing goes on; it carries what was asked at first. */
  record NextToken(String stream, String afterShardId, Filter filter, Instant issuedAt) {

    String text() {
      String text =
          String.join(
              "|",
              stream,
              afterShardId,
              filter.type(),
              filter.shardId(),
              Long.toString(filter.at().toEpochMilli()),
              Long.toString(issuedAt.toEpochMilli()));
      return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static NextToken parse(String token) {
      try {
        String[] part =
            new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8)
                .split("\\|", -1);
        return new NextToken(
            part[0],
            part[1],
            new Filter(part[2], part[3], Instant.ofEpochMilli(Long.parseLong(part[4]))),
            Instant.ofEpochMilli(Long.parseLong(part[5])));
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        throw KinesisError.invalidArgument("NextToken is invalid.");
      }
    }
  }

  /**
   * @param shardId empty where the type asks for none
   * @param at the epoch where the type asks for none
   */
  record Filter(String type, String shardId, Instant at) {

    static final Filter ALL = new Filter("FROM_TRIM_HORIZON", "", Instant.EPOCH);

    static Filter of(Arguments arguments) {
      String type = arguments.requiredText("Type");
      Optional<String> shardId = arguments.text("ShardId");
      Optional<Instant> at = arguments.instant("Timestamp");
      if (type.equals("AFTER_SHARD_ID") != shardId.isPresent()) {
        throw KinesisError.invalidArgument("ShardId goes with AFTER_SHARD_ID, and only with it.");
      }
      if (type.endsWith("_TIMESTAMP") != at.isPresent()) {
        throw KinesisError.invalidArgument(
            "Timestamp goes with AT_TIMESTAMP and FROM_TIMESTAMP, and only with them.");
      }
      return new Filter(type, shardId.orElse(""), at.orElse(Instant.EPOCH));
    }

    Predicate<EmulatedShard> among(EmulatedStream stream) {
      Instant instant = at.isBefore(stream.horizon()) ? stream.horizon() : at;
      return switch (type) {
        case "FROM_TRIM_HORIZON" -> shard -> true;
        case "AFTER_SHARD_ID" -> shard -> shard.id().compareTo(shardId) > 0;
        case "AT_TRIM_HORIZON" -> shard -> openOnceSince(stream, shard, stream.horizon());
        case "AT_LATEST" -> shard -> !shard.closed();
        case "AT_TIMESTAMP" -> shard -> openOnceSince(stream, shard, instant);
        case "FROM_TIMESTAMP" ->
            shard -> shard.closedAt().map(closed -> !closed.isBefore(instant)).orElse(true);
        default -> throw KinesisError.validation("ShardFilter type " + type + " is unknown");
      };
    }

    /** A stream younger than the instant asked for is taken at its creation. */
    private static boolean openOnceSince(
        EmulatedStream stream, EmulatedShard shard, Instant instant) {
      boolean young = instant.isBefore(stream.creationTime());
      return shard.openAt(young ? stream.creationTime() : instant);
    }
  }

  Answer list(Arguments arguments) {
    Optional<NextToken> token = arguments.text("NextToken").map(NextToken::parse);
    if (token.isPresent() && Streams.named(arguments).isPresent()) {
      throw KinesisError.invalidArgument("NextToken and StreamName cannot be provided together.");
    }
    Instant now = clock.instant();
    if (token.isPresent() && now.isAfter(token.get().issuedAt().plus(TOKEN_LIFE))) {
      throw KinesisError.expiredNextToken("NextToken has expired; list from the beginning.");
    }
    EmulatedStream stream =
        streams.required(token.map(NextToken::stream).or(() -> Streams.named(arguments)));
    int most = arguments.number("MaxResults", 1, MOST, stream.listingPage());
    String after =
        token
            .map(NextToken::afterShardId)
            .or(() -> arguments.text("ExclusiveStartShardId"))
            .orElse("");
    Filter filter =
        token
            .map(NextToken::filter)
            .or(() -> arguments.object("ShardFilter").map(Filter::of))
            .orElse(Filter.ALL);
    List<EmulatedShard> rest =
        stream.listed().stream()
            .filter(filter.among(stream))
            .filter(shard -> shard.id().compareTo(after) > 0)
            .toList();
    List<EmulatedShard> page = rest.subList(0, Math.min(most, rest.size()));
    Optional<String> next =
        page.size() == rest.size()
            ? Optional.empty()
            : Optional.of(
                new NextToken(stream.name(), page.get(page.size() - 1).id(), filter, now).text());
    return Answer.of(
        (json, format) -> {
          json.writeArrayFieldStart("Shards");
          for (EmulatedShard shard : page) {
            writeShard(shard, json);
          }
          json.writeEndArray();
          if (next.isPresent()) {
            json.writeStringField("NextToken", next.get());
          }
        });
  }

  Answer split(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    EmulatedShard shard = Streams.requiredShard(stream, arguments.requiredText("ShardToSplit"));
    String start = arguments.requiredText("NewStartingHashKey");
    if (!start.matches("0|[1-9][0-9]{0,38}")) {
      throw KinesisError.validation("NewStartingHashKey " + start + " is not a hash key");
    }
    stream.split(shard.id(), new BigInteger(start));
    return Answer.empty();
  }

  Answer merge(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    EmulatedShard one = Streams.requiredShard(stream, arguments.requiredText("ShardToMerge"));
    EmulatedShard two =
        Streams.requiredShard(stream, arguments.requiredText("AdjacentShardToMerge"));
    stream.merge(one.id(), two.id());
    return Answer.empty();
  }

  private static void writeShard(EmulatedShard shard, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("ShardId", shard.id());
    if (shard.parent().isPresent()) {
      json.writeStringField("ParentShardId", shard.parent().get());
    }
    if (shard.adjacentParent().isPresent()) {
      json.writeStringField("AdjacentParentShardId", shard.adjacentParent().get());
    }
    writeHashKeyRange(shard, json);
    json.writeObjectFieldStart("SequenceNumberRange");
    json.writeStringField("StartingSequenceNumber", shard.startingSequenceNumber());
    Optional<String> ending = shard.endingSequenceNumber();
    if (ending.isPresent()) {
      json.writeStringField("EndingSequenceNumber", ending.get());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  static void writeHashKeyRange(EmulatedShard shard, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("HashKeyRange");
    json.writeStringField("StartingHashKey", shard.start().toString());
    json.writeStringField("EndingHashKey", shard.end().toString());
    json.writeEndObject();
  }
}
