package io.cutover.local.kinesis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

/**
 * An emulator of its own for each test, its clock standing still, and the moves that tests share.
 */
abstract class EmulatorFixture {

  static final Instant NOW = Instant.parse("2030-06-01T12:00:00Z");
  static final String STREAM = "orders";

  final KinesisEmulator emulator;
  final KinesisClient client;

  EmulatorFixture(KinesisEmulator.Builder builder) {
    emulator = builder.start();
    emulator.clock().freeze(NOW);
    client = Clients.client(emulator.endpoint(), WireFormat.CBOR);
  }

  @AfterEach
  void stop() {
    client.close();
    emulator.close();
  }

  String horizon(String shardId) {
    return client
        .getShardIterator(
            r ->
                r.streamName(STREAM)
                    .shardId(shardId)
                    .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
        .shardIterator();
  }

  String at(ShardIteratorType type, StoredRecord record) {
    return client
        .getShardIterator(
            r ->
                r.streamName(STREAM)
                    .shardId(record.shardId())
                    .shardIteratorType(type)
                    .startingSequenceNumber(record.sequenceNumber()))
        .shardIterator();
  }

  GetRecordsResponse page(String iterator) {
    return client.getRecords(r -> r.shardIterator(iterator));
  }

  /** The answers from an iterator on, up to the end of the shard or this many. */
  List<GetRecordsResponse> pages(String iterator, int most) {
    List<GetRecordsResponse> pages = new ArrayList<>();
    String next = iterator;
    while (next != null && pages.size() < most) {
      GetRecordsResponse page = page(next);
      pages.add(page);
      next = page.nextShardIterator();
    }
    return pages;
  }

  static List<String> texts(GetRecordsResponse page) {
    return page.records().stream().map(r -> r.data().asUtf8String()).toList();
  }

  static PutSpec text(String text, Instant arrival) {
    return PutSpec.of("key", text.getBytes(StandardCharsets.UTF_8), arrival);
  }
}
