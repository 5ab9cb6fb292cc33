package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

class KinesisEmulatorTest {

  private final KinesisEmulator emulator = KinesisEmulator.start();

  @AfterEach
  void stop() {
    emulator.close();
  }

  @ParameterizedTest
  @EnumSource
  void readsWhatWasStoredAcrossASplit(WireFormat format) {
    Instant arrival = Instant.now().minus(Duration.ofHours(3)).truncatedTo(ChronoUnit.MILLIS);
    EmulatedStream stream = emulator.createStream("s", 1);
    StoredRecord stored =
        stream.putByKey(PutSpec.of("k", "v".getBytes(StandardCharsets.UTF_8), arrival));
    List<EmulatedShard> children = stream.split(stored.shardId());
    try (KinesisClient client = Clients.client(emulator.endpoint(), format)) {
      List<Shard> shards = client.listShards(r -> r.streamName("s")).shards();
      assertThat(shards).hasSize(3);
      String iterator =
          client
              .getShardIterator(
                  r ->
                      r.streamName("s")
                          .shardId(stored.shardId())
                          .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
              .shardIterator();
      GetRecordsResponse page = client.getRecords(r -> r.shardIterator(iterator));
      assertThat(page.records()).hasSize(1);
      assertThat(page.records().get(0).approximateArrivalTimestamp()).isEqualTo(arrival);
      assertThat(page.records().get(0).data().asUtf8String()).isEqualTo("v");
      assertThat(page.nextShardIterator()).isNull();
      assertThat(page.childShards())
          .extracting(child -> child.shardId())
          .containsExactly(children.get(0).id(), children.get(1).id());
      assertThat(page.sdkHttpResponse().firstMatchingHeader("Date")).isPresent();
      assertThat(emulator.calls()).extracting(Call::format).containsOnly(format);
    }
  }
}
