package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.KinesisException;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

class CallsTest extends EmulatorFixture {

  private final EmulatedStream stream = emulator.createStream(STREAM, 1);
  private final String shardId = stream.shards().get(0).id();

  CallsTest() {
    super(KinesisEmulator.builder());
  }

  @Test
  void everyCallTellsWhatWasAskedAndAnswered() {
    StoredRecord stored = stream.put(shardId, text("a", NOW));
    page(at(ShardIteratorType.AT_SEQUENCE_NUMBER, stored));
    assertThatThrownBy(() -> client.describeStreamSummary(r -> r.streamName("none")))
        .isInstanceOf(KinesisException.class);
    List<Call> calls = emulator.calls();
    assertThat(calls)
        .extracting(Call::action)
        .containsExactly("GetShardIterator", "GetRecords", "DescribeStreamSummary");
    assertThat(calls)
        .extracting(Call::outcome)
        .containsExactly(Call.OK, Call.OK, "ResourceNotFoundException");
    assertThat(calls).extracting(Call::at).containsOnly(NOW);
    assertThat(calls).extracting(Call::format).containsOnly(WireFormat.CBOR);
    assertThat(calls.get(0).position()).contains("AT_SEQUENCE_NUMBER " + stored.sequenceNumber());
    assertThat(calls.get(1).shardId()).contains(shardId);
    assertThat(calls.get(1).records()).isEqualTo(1);
    emulator.clearCalls();
    assertThat(emulator.calls()).isEmpty();
  }

  @Test
  void faultOnAnUnknownActionIsRefused() {
    assertThatThrownBy(() -> emulator.faults().on("GetRecord"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("GetRecords");
  }

  @Test
  void readerBesideAWriterSeesEveryRecordOnceInOrder() throws Exception {
    int count = 20_000;
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () ->
                IntStream.range(0, count)
                    .forEach(i -> stream.put(shardId, text(Integer.toString(i), NOW))));
    List<String> read = new ArrayList<>();
    String next = horizon(shardId);
    while (read.size() < count) {
      GetRecordsResponse page = page(next);
      read.addAll(texts(page));
      next = page.nextShardIterator();
      assertThat(writer.isCompletedExceptionally()).isFalse();
    }
    writer.get();
    assertThat(read).isEqualTo(IntStream.range(0, count).mapToObj(Integer::toString).toList());
  }
}
