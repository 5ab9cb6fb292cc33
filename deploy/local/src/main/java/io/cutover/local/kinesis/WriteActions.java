package io.cutover.local.kinesis;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** PutRecord and PutRecords. */
final class WriteActions {

  private static final int MOST_RECORDS = 500;
  private static final int KEY_CHARACTERS = 256;

  private final Streams streams;
  private final EmulatorClock clock;

  WriteActions(Streams streams, EmulatorClock clock) {
    this.streams = streams;
    this.clock = clock;
  }

  Answer put(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    StoredRecord stored = stream.putByKey(spec(stream, arguments));
    return Answer.of(
        (json, format) -> {
          json.writeStringField("ShardId", stored.shardId());
          json.writeStringField("SequenceNumber", stored.sequenceNumber());
        });
  }

  Answer putAll(Arguments arguments) {
    EmulatedStream stream = streams.required(Streams.named(arguments));
    List<PutSpec> specs = new ArrayList<>();
    for (JsonNode entry : arguments.list("Records")) {
      specs.add(spec(stream, new Arguments(entry, arguments.format())));
    }
    if (specs.isEmpty() || specs.size() > MOST_RECORDS) {
      throw KinesisError.validation("Records holds 1 to 500 entries, but " + specs.size());
    }
    List<StoredRecord> stored = specs.stream().map(stream::putByKey).toList();
    return Answer.of(
        (json, format) -> {
          json.writeNumberField("FailedRecordCount", 0);
          json.writeArrayFieldStart("Records");
          for (StoredRecord record : stored) {
            json.writeStartObject();
            json.writeStringField("ShardId", record.shardId());
            json.writeStringField("SequenceNumber", record.sequenceNumber());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private PutSpec spec(EmulatedStream stream, Arguments arguments) {
    String key = arguments.requiredText("PartitionKey");
    if (key.isEmpty() || key.codePointCount(0, key.length()) > KEY_CHARACTERS) {
      throw KinesisError.validation("PartitionKey holds 1 to 256 characters");
    }
    Optional<BigInteger> hashKey = arguments.text("ExplicitHashKey").map(WriteActions::hashKey);
    byte[] data = arguments.requiredBytes("Data");
    if (data.length > stream.maxRecordSizeKiB() * 1024L) {
      throw KinesisError.validation(
          "Data holds at most " + stream.maxRecordSizeKiB() + " KiB, but " + data.length + " B");
    }
    return new PutSpec(Optional.of(key), hashKey, data, clock.instant());
  }

  private static BigInteger hashKey(String text) {
    if (!text.matches("0|[1-9][0-9]{0,38}")
        || new BigInteger(text).compareTo(EmulatedStream.KEYS) >= 0) {
      throw KinesisError.invalidArgument(
          "Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. "
              + "Specified value was "
              + text);
    }
    return new BigInteger(text);
  }
}
