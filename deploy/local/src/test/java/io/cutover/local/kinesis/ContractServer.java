package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.kinesis.model.PutRecordResponse;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;
import software.amazon.awssdk.services.kinesis.model.StreamStatus;

/** A server under contract, what is known to differ there, and the moves that the rules share. */
final class ContractServer implements AutoCloseable {

  private final AutoCloseable server;
  private final KinesisClient client;
  private final Set<KnownDifference> differences;
  private final Set<KnownDifference> met = EnumSet.noneOf(KnownDifference.class);

  ContractServer(
      AutoCloseable server, URI endpoint, WireFormat format, Set<KnownDifference> differences) {
    this.server = server;
    this.client = Clients.client(endpoint, format);
    this.differences = differences;
  }

  KinesisClient client() {
    return client;
  }

  /** Holds where AWS's rule holds, and must not hold where the difference is known. */
  void rule(KnownDifference difference, ThrowingCallable rule) {
    met.add(difference);
    Throwable failure = catchThrowable(rule);
    if (differences.contains(difference)) {
      assertThat(failure)
          .as("the server does as AWS does now; strike %s: %s", difference, difference.reason())
          .isInstanceOfAny(AssertionError.class, SdkException.class);
    } else {
      assertThat(failure).as("%s", difference).isNull();
    }
  }

  /** The differences that no rule stands behind. */
  Set<KnownDifference> unmet() {
    return EnumSet.complementOf(EnumSet.copyOf(met));
  }

  String createStream(int shards) {
    String name = "contract-" + UUID.randomUUID();
    client.createStream(r -> r.streamName(name).shardCount(shards));
    awaitActive(name);
    return name;
  }

  void awaitActive(String stream) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                client
                        .describeStreamSummary(r -> r.streamName(stream))
                        .streamDescriptionSummary()
                        .streamStatus()
                    == StreamStatus.ACTIVE);
  }

  List<Shard> shards(String stream) {
    return client.listShards(r -> r.streamName(stream)).shards();
  }

  PutRecordResponse put(String stream, String text) {
    return client.putRecord(
        r -> r.streamName(stream).partitionKey("key").data(SdkBytes.fromUtf8String(text)));
  }

  /** Splits a shard in two halves and gives the children. */
  List<Shard> split(String stream, String shardId) {
    Shard parent =
        shards(stream).stream().filter(s -> s.shardId().equals(shardId)).findFirst().orElseThrow();
    BigInteger start = new BigInteger(parent.hashKeyRange().startingHashKey());
    BigInteger end = new BigInteger(parent.hashKeyRange().endingHashKey());
    String half = start.add(end).add(BigInteger.ONE).shiftRight(1).toString();
    client.splitShard(r -> r.streamName(stream).shardToSplit(shardId).newStartingHashKey(half));
    awaitActive(stream);
    return shards(stream).stream().filter(s -> shardId.equals(s.parentShardId())).toList();
  }

  String iterator(
      String stream, String shardId, Consumer<GetShardIteratorRequest.Builder> position) {
    return client
        .getShardIterator(r -> position.accept(r.streamName(stream).shardId(shardId)))
        .shardIterator();
  }

  GetRecordsResponse read(
      String stream, String shardId, Consumer<GetShardIteratorRequest.Builder> position) {
    String iterator = iterator(stream, shardId, position);
    return client.getRecords(r -> r.shardIterator(iterator));
  }

  /** Every record of a shard up to the tip or the closed end. */
  List<Record> readAll(String stream, String shardId) {
    List<Record> records = new ArrayList<>();
    String next = iterator(stream, shardId, fromHorizon());
    while (next != null) {
      String iterator = next;
      GetRecordsResponse page = client.getRecords(r -> r.shardIterator(iterator));
      records.addAll(page.records());
      next = page.records().isEmpty() ? null : page.nextShardIterator();
    }
    return records;
  }

  static Consumer<GetShardIteratorRequest.Builder> fromHorizon() {
    return r -> r.shardIteratorType(ShardIteratorType.TRIM_HORIZON);
  }

  static List<String> texts(List<Record> records) {
    return records.stream().map(r -> r.data().asString(StandardCharsets.UTF_8)).toList();
  }

  @Override
  public void close() throws Exception {
    client.close();
    server.close();
  }
}
