package io.cutover.local.kinesis;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cutover.local.kinesis.EmulatedShard.Page;
import io.cutover.local.kinesis.ReadStyle.EndIterator;
import io.cutover.local.kinesis.ReadStyle.TrimmedPosition;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** GetShardIterator and GetRecords. */
final class ReadActions {

  private static final int PAGE_RECORDS = 10_000;
  private static final long PAGE_BYTES = 10L << 20;

  private final Streams streams;
  private final EmulatorClock clock;
  private final Optional<ReadLimits> limits;

  ReadActions(Streams streams, EmulatorClock clock, Optional<ReadLimits> limits) {
    this.streams = streams;
    this.clock = clock;
    this.limits = limits;
  }

  Answer shardIterator(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    EmulatedShard shard = Streams.requiredShard(stream, arguments.requiredText("ShardId"));
    ShardPosition position = position(stream, shard, arguments);
    return Answer.of((json, format) -> json.writeStringField("ShardIterator", position.token()));
  }

  private ShardPosition position(EmulatedStream stream, EmulatedShard shard, Arguments arguments) {
    String type = arguments.requiredText("ShardIteratorType");
    Instant now = clock.instant();
    return switch (type) {
      case "TRIM_HORIZON" -> position(stream, shard, shard.trimHorizon(), false, now);
      case "LATEST" -> position(stream, shard, shard.tail(), false, now);
      case "AT_TIMESTAMP" -> {
        Instant at =
            arguments
                .instant("Timestamp")
                .orElseThrow(() -> KinesisError.invalidArgument("AT_TIMESTAMP needs a Timestamp."));
        if (at.isAfter(now)) {
          throw KinesisError.invalidArgument(
              "The timestampInMillis parameter cannot be greater than the currentTimestampInMillis"
                  + ". timestampInMillis: "
                  + at.toEpochMilli()
                  + ", currentTimestampInMillis: "
                  + now.toEpochMilli());
        }
        yield position(stream, shard, shard.firstArrivedAt(at), false, now);
      }
      case "AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER" -> {
        String number = SequenceNumber.parse(arguments.requiredText("StartingSequenceNumber"));
        int index = shard.firstAtOrAbove(number);
        boolean trimmed = index < shard.trimHorizon();
        boolean after = type.startsWith("AFTER") && shard.holds(index, number);
        yield position(stream, shard, after ? index + 1 : index, trimmed, now);
      }
      default -> throw KinesisError.validation("ShardIteratorType " + type + " is unknown");
    };
  }

  private static ShardPosition position(
      EmulatedStream stream, EmulatedShard shard, int next, boolean trimmed, Instant now) {
    return new ShardPosition(stream.name(), shard.id(), next, trimmed, 0, now);
  }

  Answer records(Arguments arguments, boolean emptyPage) {
    ShardPosition position = ShardPosition.parse(arguments.requiredText("ShardIterator"));
    int limit = arguments.number("Limit", 1, PAGE_RECORDS, PAGE_RECORDS);
    Instant now = clock.instant();
    position.refuseIfExpired(now);
    EmulatedStream stream = streams.required(Optional.of(position.stream()));
    EmulatedShard shard = shardOf(stream, position.shardId());
    limits.ifPresent(l -> l.admit(shard, now));
    shard.trim(stream.horizon());
    ReadStyle style = stream.readStyle();
    ShardPosition from = jumped(position, shard, style);
    Page page = shard.page(from.next(), Math.min(limit, style.pageRecords()), PAGE_BYTES);
    if (from.trimmed() || page.headTrimmed()) {
      return trimmed(stream, from, style, now);
    }
    if (emptyPage) {
      long behind = Math.max(1, behind(shard, from.next(), style, now));
      return page(List.of(), Optional.of(from.at(from.next(), 0, now)), behind);
    }
    limits.ifPresent(l -> l.charge(shard, page.records(), now));
    long behind = behind(shard, page.next(), style, now);
    if (!page.atTail() || !shard.closed()) {
      return page(page.records(), Optional.of(from.at(page.next(), 0, now)), behind);
    }
    boolean more =
        from.emptyEndPages() < style.emptyPagesBeforeEnd()
            || (!page.records().isEmpty() && style.emptyPagesBeforeEnd() > 0);
    if (more) {
      int answered = page.records().isEmpty() ? from.emptyEndPages() + 1 : 0;
      return page(page.records(), Optional.of(from.at(page.next(), answered, now)), behind);
    }
    return end(page.records(), stream, shard, style, behind);
  }

  /** A closed shard can still be read by an iterator when it has expired from the listing. */
  private static EmulatedShard shardOf(EmulatedStream stream, String shardId) {
    return stream.shards().stream()
        .filter(shard -> shard.id().equals(shardId) && !shard.vanished())
        .findFirst()
        .orElseThrow(
            () ->
                KinesisError.notFound(
                    "Shard " + shardId + " in stream " + stream.name() + " does not exist"));
  }

  private static ShardPosition jumped(
      ShardPosition position, EmulatedShard shard, ReadStyle style) {
    boolean gone = position.trimmed() || position.next() < shard.trimHorizon();
    if (!gone || style.trimmedPosition() != TrimmedPosition.JUMP_TO_HORIZON) {
      return position;
    }
    return new ShardPosition(
        position.stream(),
        position.shardId(),
        Math.max(position.next(), shard.trimHorizon()),
        false,
        0,
        position.issuedAt());
  }

  private static Answer trimmed(
      EmulatedStream stream, ShardPosition from, ReadStyle style, Instant now) {
    if (style.trimmedPosition() == TrimmedPosition.REFUSE) {
      throw KinesisError.invalidArgument(
          "The position in shard " + from.shardId() + " lies before the trim horizon");
    }
    ShardPosition same = from.at(from.next(), 0, now);
    return page(List.of(), Optional.of(same), stream.retention().toMillis());
  }

  /** Milliseconds; 0 only at the tail, unless the style says always. */
  private static long behind(EmulatedShard shard, int next, ReadStyle style, Instant now) {
    Optional<StoredRecord> unread = shard.at(next);
    if (unread.isEmpty()) {
      return 0;
    }
    Instant origin =
        switch (style.lag()) {
          case WALL_CLOCK -> now;
          case LAST_RECORD -> shard.last().orElseThrow().arrival();
          case ALWAYS_ZERO -> Instant.MIN;
        };
    return origin.equals(Instant.MIN)
        ? 0
        : Math.max(1, Duration.between(unread.get().arrival(), origin).toMillis());
  }

  private static Answer page(
      List<StoredRecord> records, Optional<ShardPosition> next, long behind) {
    return new Answer(
        (json, format) -> {
          writeRecords(records, json, format);
          if (next.isPresent()) {
            json.writeStringField("NextShardIterator", next.get().token());
          }
          json.writeNumberField("MillisBehindLatest", behind);
        },
        records.size(),
        size(records));
  }

  private static Answer end(
      List<StoredRecord> records,
      EmulatedStream stream,
      EmulatedShard shard,
      ReadStyle style,
      long behind) {
    List<EmulatedShard> children = style.childShards() ? stream.childrenOf(shard) : List.of();
    return new Answer(
        (json, format) -> {
          writeRecords(records, json, format);
          if (style.endIterator() == EndIterator.NULL) {
            json.writeNullField("NextShardIterator");
          }
          json.writeNumberField("MillisBehindLatest", behind);
          if (!children.isEmpty()) {
            json.writeArrayFieldStart("ChildShards");
            for (EmulatedShard child : children) {
              writeChild(child, json);
            }
            json.writeEndArray();
          }
        },
        records.size(),
        size(records));
  }

  private static void writeChild(EmulatedShard child, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("ShardId", child.id());
    json.writeArrayFieldStart("ParentShards");
    if (child.parent().isPresent()) {
      json.writeString(child.parent().get());
    }
    if (child.adjacentParent().isPresent()) {
      json.writeString(child.adjacentParent().get());
    }
    json.writeEndArray();
    ShardActions.writeHashKeyRange(child, json);
    json.writeEndObject();
  }

  private static void writeRecords(
      List<StoredRecord> records, JsonGenerator json, WireFormat format) throws IOException {
    json.writeFieldName("Records");
    json.writeStartArray(records, records.size());
    for (StoredRecord record : records) {
      json.writeStartObject();
      json.writeStringField("SequenceNumber", record.sequenceNumber());
      json.writeFieldName("ApproximateArrivalTimestamp");
      format.writeInstant(json, record.arrival());
      json.writeBinaryField("Data", record.data());
      if (record.partitionKey().isPresent()) {
        json.writeStringField("PartitionKey", record.partitionKey().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Room for the body in CBOR; base64 grows into a little more. */
  private static int size(List<StoredRecord> records) {
    int size = 1024;
    for (StoredRecord record : records) {
      size += record.data().length + 512;
    }
    return size;
  }
}
