package io.cutover.local.kinesis;

import static io.cutover.local.kinesis.ContractServer.fromHorizon;
import static io.cutover.local.kinesis.ContractServer.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.InvalidArgumentException;
import software.amazon.awssdk.services.kinesis.model.KinesisException;
import software.amazon.awssdk.services.kinesis.model.PutRecordResponse;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.ResourceNotFoundException;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

/** The rules for reading. */
interface ReadContract {

  ContractServer server();

  @Test
  default void sequenceNumberPositionsAtAndAfterARecord() {
    String stream = server().createStream(1);
    server().put(stream, "a");
    PutRecordResponse b = server().put(stream, "b");
    server().put(stream, "c");
    assertThat(
            texts(
                server()
                    .read(
                        stream,
                        b.shardId(),
                        r ->
                            r.shardIteratorType(ShardIteratorType.AT_SEQUENCE_NUMBER)
                                .startingSequenceNumber(b.sequenceNumber()))
                    .records()))
        .containsExactly("b", "c");
    assertThat(
            texts(
                server()
                    .read(
                        stream,
                        b.shardId(),
                        r ->
                            r.shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                                .startingSequenceNumber(b.sequenceNumber()))
                    .records()))
        .containsExactly("c");
  }

  @Test
  default void shardIsReadFromItsStartingSequenceNumber() {
    String stream = server().createStream(1);
    Shard shard = server().shards(stream).get(0);
    server().put(stream, "a");
    assertThat(
            texts(
                server()
                    .read(
                        stream,
                        shard.shardId(),
                        r ->
                            r.shardIteratorType(ShardIteratorType.AT_SEQUENCE_NUMBER)
                                .startingSequenceNumber(
                                    shard.sequenceNumberRange().startingSequenceNumber()))
                    .records()))
        .containsExactly("a");
  }

  @Test
  default void latestSeesOnlyWhatComesAfterIt() {
    String stream = server().createStream(1);
    String shardId = server().put(stream, "before").shardId();
    String latest =
        server().iterator(stream, shardId, r -> r.shardIteratorType(ShardIteratorType.LATEST));
    server().put(stream, "after");
    assertThat(texts(server().client().getRecords(r -> r.shardIterator(latest)).records()))
        .containsExactly("after");
  }

  @Test
  default void timestampPositionsAtTheFirstRecordThatArrivedThen() {
    String stream = server().createStream(1);
    String shardId = server().put(stream, "a").shardId();
    Instant first = server().readAll(stream, shardId).get(0).approximateArrivalTimestamp();
    await().until(() -> Instant.now().isAfter(first.plusMillis(20)));
    server().put(stream, "b");
    Instant second = server().readAll(stream, shardId).get(1).approximateArrivalTimestamp();
    assertThat(readAt(stream, shardId, second)).containsExactly("b");
    assertThat(readAt(stream, shardId, first)).containsExactly("a", "b");
    assertThat(readAt(stream, shardId, first.minus(Duration.ofDays(30)))).containsExactly("a", "b");
  }

  private List<String> readAt(String stream, String shardId, Instant instant) {
    return texts(
        server()
            .read(
                stream,
                shardId,
                r -> r.shardIteratorType(ShardIteratorType.AT_TIMESTAMP).timestamp(instant))
            .records());
  }

  @Test
  default void timestampInTheFutureIsRefused() {
    String stream = server().createStream(1);
    String shardId = server().shards(stream).get(0).shardId();
    server()
        .rule(
            KnownDifference.FUTURE_TIMESTAMP,
            () ->
                assertThatThrownBy(() -> readAt(stream, shardId, Instant.now().plusSeconds(600)))
                    .isInstanceOf(InvalidArgumentException.class));
  }

  @Test
  default void timestampBehindEveryRecordReadsNothing() {
    String stream = server().createStream(1);
    String shardId = server().put(stream, "a").shardId();
    Instant arrival = server().readAll(stream, shardId).get(0).approximateArrivalTimestamp();
    await().until(() -> Instant.now().isAfter(arrival.plusMillis(20)));
    assertThat(readAt(stream, shardId, arrival.plusMillis(10))).isEmpty();
  }

  @Test
  default void arrivalIsTheServersTime() {
    String stream = server().createStream(1);
    String shardId = server().put(stream, "a").shardId();
    assertThat(server().readAll(stream, shardId))
        .extracting(Record::approximateArrivalTimestamp)
        .allSatisfy(
            arrival -> assertThat(arrival).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES)));
  }

  @Test
  default void pagesHoldTheLimitAndChain() {
    String stream = server().createStream(1);
    String shardId = server().put(stream, "a").shardId();
    server().put(stream, "b");
    server().put(stream, "c");
    String iterator = server().iterator(stream, shardId, fromHorizon());
    GetRecordsResponse one = server().client().getRecords(r -> r.shardIterator(iterator).limit(2));
    assertThat(texts(one.records())).containsExactly("a", "b");
    GetRecordsResponse two =
        server().client().getRecords(r -> r.shardIterator(one.nextShardIterator()).limit(2));
    assertThat(texts(two.records())).containsExactly("c");
    assertThat(two.millisBehindLatest()).isZero();
    assertThat(two.nextShardIterator()).isNotNull();
    // An iterator can be used again: a lost answer costs nothing.
    assertThat(
            texts(
                server()
                    .client()
                    .getRecords(r -> r.shardIterator(one.nextShardIterator()))
                    .records()))
        .containsExactly("c");
  }

  @Test
  default void lagIsMeasuredByTheWallClock() {
    String stream = server().createStream(1);
    String shardId = server().put(stream, "a").shardId();
    server().put(stream, "b");
    Instant arrival = server().readAll(stream, shardId).get(1).approximateArrivalTimestamp();
    await().until(() -> Instant.now().isAfter(arrival.plusMillis(1000)));
    String iterator = server().iterator(stream, shardId, fromHorizon());
    server()
        .rule(
            KnownDifference.LAG,
            () ->
                assertThat(
                        server()
                            .client()
                            .getRecords(r -> r.shardIterator(iterator).limit(1))
                            .millisBehindLatest())
                    .isGreaterThanOrEqualTo(1000));
  }

  @Test
  default void closedShardEndsWithItsChildrenAndNoIterator() {
    String stream = server().createStream(1);
    String parent = server().put(stream, "a").shardId();
    List<Shard> children = server().split(stream, parent);
    GetRecordsResponse end = server().read(stream, parent, fromHorizon());
    assertThat(texts(end.records())).containsExactly("a");
    assertThat(end.nextShardIterator()).isNull();
    assertThat(end.millisBehindLatest()).isZero();
    assertThat(end.childShards())
        .extracting(c -> c.shardId())
        .isEqualTo(children.stream().map(Shard::shardId).toList());
    assertThat(end.childShards())
        .allSatisfy(c -> assertThat(c.parentShards()).containsExactly(parent));
  }

  @Test
  default void closedShardStillGivesIterators() {
    String stream = server().createStream(1);
    PutRecordResponse put = server().put(stream, "a");
    server().split(stream, put.shardId());
    assertThat(
            server()
                .read(
                    stream,
                    put.shardId(),
                    r ->
                        r.shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                            .startingSequenceNumber(put.sequenceNumber()))
                .nextShardIterator())
        .isNull();
    assertThat(readAt(stream, put.shardId(), Instant.now().minusSeconds(60))).containsExactly("a");
  }

  @Test
  default void openShardNeverEnds() {
    String stream = server().createStream(1);
    String shardId = server().shards(stream).get(0).shardId();
    GetRecordsResponse empty = server().read(stream, shardId, fromHorizon());
    assertThat(empty.records()).isEmpty();
    assertThat(empty.nextShardIterator()).isNotNull();
    assertThat(empty.millisBehindLatest()).isZero();
    assertThat(empty.childShards()).isEmpty();
  }

  @Test
  default void senselessPositionsAreRefused() {
    String stream = server().createStream(1);
    String shardId = server().shards(stream).get(0).shardId();
    server()
        .rule(
            KnownDifference.SENSELESS_ITERATOR,
            () ->
                assertThatThrownBy(
                        () -> server().client().getRecords(r -> r.shardIterator("senseless")))
                    .isInstanceOf(InvalidArgumentException.class));
    assertThatThrownBy(() -> server().iterator(stream, "shardId-000000000099", fromHorizon()))
        .isInstanceOf(ResourceNotFoundException.class);
    assertThatThrownBy(
            () ->
                server()
                    .iterator(
                        stream,
                        shardId,
                        r -> r.shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)))
        .isInstanceOf(KinesisException.class);
  }
}
