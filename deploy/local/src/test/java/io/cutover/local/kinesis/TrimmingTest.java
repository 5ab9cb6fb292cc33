package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.local.kinesis.ReadStyle.TrimmedPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.ExpiredIteratorException;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.InvalidArgumentException;
import software.amazon.awssdk.services.kinesis.model.ResourceNotFoundException;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

class TrimmingTest extends EmulatorFixture {

  private static final Duration HOUR = Duration.ofHours(1);

  private final EmulatedStream stream =
      emulator.createStream(STREAM, 1, NOW.minus(Duration.ofDays(30)));
  private final String shardId = stream.shards().get(0).id();

  TrimmingTest() {
    super(KinesisEmulator.builder());
  }

  private StoredRecord put(String text, Duration age) {
    return stream.put(shardId, text(text, NOW.minus(age)));
  }

  @Test
  void recordsPastTheHorizonAreNotServed() {
    put("old", Duration.ofHours(25));
    put("young", Duration.ofHours(23));
    assertThat(texts(page(horizon(shardId)))).containsExactly("young");
    assertThat(stream.shard(shardId).records()).hasSize(2);
  }

  @Test
  void horizonMovesWithTheClock() {
    put("a", Duration.ofHours(23));
    put("b", Duration.ofHours(1));
    assertThat(texts(page(horizon(shardId)))).containsExactly("a", "b");
    emulator.clock().advance(Duration.ofHours(2));
    assertThat(texts(page(horizon(shardId)))).containsExactly("b");
  }

  @Test
  void raisingTheRetentionRevivesNothing() {
    put("old", Duration.ofHours(25));
    put("young", Duration.ofHours(23));
    stream.retention(Duration.ofDays(7));
    assertThat(texts(page(horizon(shardId)))).containsExactly("young");
  }

  @Test
  void logLosesItsHeadAndNeverItsMiddle() {
    stream.retention(Duration.ofDays(2));
    put("young", HOUR);
    put("old", Duration.ofHours(40));
    put("younger", Duration.ZERO);
    stream.trimBefore(NOW.minus(Duration.ofHours(30)));
    assertThat(texts(page(horizon(shardId)))).containsExactly("young", "old", "younger");
    stream.trimBefore(NOW.minusSeconds(1));
    assertThat(texts(page(horizon(shardId)))).containsExactly("younger");
  }

  @Test
  void iteratorFromBeforeTheTrimAnswersEmptyPagesForEver() {
    put("a", Duration.ofHours(23));
    put("b", HOUR);
    String iterator = horizon(shardId);
    stream.trimBefore(NOW.minus(Duration.ofHours(2)));
    assertThat(pages(iterator, 20))
        .hasSize(20)
        .allSatisfy(page -> assertThat(page.records()).isEmpty())
        .allSatisfy(
            page ->
                assertThat(page.millisBehindLatest()).isEqualTo(Duration.ofHours(24).toMillis()));
  }

  @Test
  void sequenceNumberOfATrimmedRecordAnswersEmptyPagesForEver() {
    StoredRecord trimmed = put("a", Duration.ofHours(23));
    put("b", HOUR);
    stream.trimBefore(NOW.minus(Duration.ofHours(2)));
    for (ShardIteratorType type :
        List.of(ShardIteratorType.AT_SEQUENCE_NUMBER, ShardIteratorType.AFTER_SEQUENCE_NUMBER)) {
      assertThat(pages(at(type, trimmed), 5))
          .hasSize(5)
          .allSatisfy(page -> assertThat(page.records()).isEmpty())
          .allSatisfy(page -> assertThat(page.millisBehindLatest()).isPositive());
    }
  }

  @Test
  void readerAtTheTipIsNotDisturbedByTheTrimBehindIt() {
    put("a", HOUR);
    GetRecordsResponse tip = page(horizon(shardId));
    stream.trimBefore(NOW);
    put("b", Duration.ZERO);
    assertThat(texts(page(tip.nextShardIterator()))).containsExactly("b");
  }

  @Test
  void otherServersJumpOrRefuse() {
    StoredRecord trimmed = put("a", Duration.ofHours(23));
    put("b", HOUR);
    stream.trimBefore(NOW.minus(Duration.ofHours(2)));
    String iterator = at(ShardIteratorType.AT_SEQUENCE_NUMBER, trimmed);
    stream.readStyle(ReadStyle.AWS.trimmedPosition(TrimmedPosition.JUMP_TO_HORIZON));
    assertThat(texts(page(iterator))).containsExactly("b");
    stream.readStyle(ReadStyle.AWS.trimmedPosition(TrimmedPosition.REFUSE));
    assertThatThrownBy(() -> page(iterator)).isInstanceOf(InvalidArgumentException.class);
  }

  @Test
  void instantFromBeforeTheHorizonIsTheHorizon() {
    put("a", Duration.ofHours(23));
    put("b", HOUR);
    put("late", Duration.ofHours(22));
    stream.trimBefore(NOW.minus(Duration.ofHours(2)));
    Instant old = NOW.minus(Duration.ofDays(20));
    assertThat(texts(page(at(shardId, old)))).containsExactly("b", "late");
    emulator.clock().advance(Duration.ofHours(24));
    assertThat(texts(page(at(shardId, old)))).isEmpty();
  }

  @Test
  void closedShardIsReadFromAnInstantAsAnOpenOne() {
    put("a", Duration.ofHours(3));
    put("b", Duration.ofHours(2));
    stream.split(shardId, NOW.minus(HOUR));
    GetRecordsResponse within = page(at(shardId, NOW.minus(Duration.ofHours(2))));
    assertThat(texts(within)).containsExactly("b");
    assertThat(within.nextShardIterator()).isNull();
    GetRecordsResponse behind = page(at(shardId, NOW.minusSeconds(60)));
    assertThat(texts(behind)).isEmpty();
    assertThat(behind.nextShardIterator()).isNull();
    assertThat(behind.childShards()).hasSize(2);
  }

  private String at(String shard, Instant instant) {
    return client
        .getShardIterator(
            r ->
                r.streamName(STREAM)
                    .shardId(shard)
                    .shardIteratorType(ShardIteratorType.AT_TIMESTAMP)
                    .timestamp(instant))
        .shardIterator();
  }

  @Test
  void expiredShardLeavesTheListing() {
    put("a", Duration.ofHours(30));
    List<EmulatedShard> children = stream.split(shardId, NOW.minus(Duration.ofHours(23)));
    assertThat(listed()).hasSize(3);
    emulator.clock().advance(Duration.ofHours(2));
    assertThat(listed()).containsExactly(children.get(0).id(), children.get(1).id());
    assertThat(stream.shards()).hasSize(3);
    assertThatThrownBy(() -> horizon(shardId)).isInstanceOf(ResourceNotFoundException.class);
  }

  @Test
  void closedShardStaysWhileItHoldsARecord() {
    put("a", HOUR);
    stream.split(shardId, NOW.minus(Duration.ofHours(30)));
    assertThat(listed()).hasSize(3);
  }

  @Test
  void iteratorLivesFiveMinutes() {
    String iterator = horizon(shardId);
    emulator.clock().advance(Duration.ofMinutes(5));
    assertThat(page(iterator).nextShardIterator()).isNotNull();
    emulator.clock().advance(Duration.ofMillis(1));
    assertThatThrownBy(() -> page(iterator)).isInstanceOf(ExpiredIteratorException.class);
  }

  private List<String> listed() {
    return client.listShards(r -> r.streamName(STREAM)).shards().stream()
        .map(Shard::shardId)
        .toList();
  }
}
