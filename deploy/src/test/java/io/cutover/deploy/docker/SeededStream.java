package io.cutover.deploy.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.local.stack.KplAggregate;
import io.cutover.rig.Producer.Written;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;
import software.amazon.awssdk.services.kinesis.model.PutRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;
import software.amazon.awssdk.services.kinesis.model.StreamStatus;

/** A stream that is written and reshaped through the API alone, and read back by a plain loop. */
final class SeededStream implements AutoCloseable {

  private static final int BATCH = 250;

  /** What an aggregate's user records are, in order. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Member(String key, byte[] data) {}

  private final KinesisClient client;
  private final String name;
  private final Map<String, List<Member>> aggregates = new HashMap<>();
  private int written;

  SeededStream(URI endpoint, String name, int shards) {
    this.name = name;
    client =
        KinesisClient.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .endpointOverride(endpoint)
            .build();
    client.createStream(r -> r.streamName(name).shardCount(shards));
    awaitActive();
  }

  @Override
  public void close() {
    client.close();
  }

  private void awaitActive() {
    await().atMost(Duration.ofSeconds(30)).until(() -> status() == StreamStatus.ACTIVE);
  }

  private StreamStatus status() {
    return client
        .describeStreamSummary(r -> r.streamName(name))
        .streamDescriptionSummary()
        .streamStatus();
  }

  /** Plain records of a few keys. */
  void put(int count) {
    int end = written + count;
    while (written < end) {
      int batch = Math.min(BATCH, end - written);
      List<PutRecordsRequestEntry> entries =
          IntStream.range(written, written + batch).mapToObj(SeededStream::entry).toList();
      PutRecordsResponse answer = client.putRecords(r -> r.streamName(name).records(entries));
      assertThat(answer.failedRecordCount()).isZero();
      written += batch;
    }
  }

  private static PutRecordsRequestEntry entry(int number) {
    return PutRecordsRequestEntry.builder()
        .partitionKey("key-" + number % 97)
        .data(SdkBytes.fromUtf8String("value " + number))
        .build();
  }

  /** One KPL aggregate; its outer key is the meaningless one that KPL gives. */
  void putAggregate(int members) {
    KplAggregate aggregate = new KplAggregate();
    List<Member> inside = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      Member member = new Member("key-" + i % 7, ("member " + i).getBytes(UTF_8));
      aggregate.add(member.key(), member.data());
      inside.add(member);
    }
    SdkBytes data = SdkBytes.fromByteArray(aggregate.encode());
    var put = client.putRecord(r -> r.streamName(name).partitionKey("a").data(data));
    aggregates.put(put.shardId() + "/" + put.sequenceNumber(), inside);
    written += members;
  }

  /** Splits the first open shard in the middle. */
  void split() {
    Shard shard = open().get(0);
    BigInteger start = new BigInteger(shard.hashKeyRange().startingHashKey());
    BigInteger end = new BigInteger(shard.hashKeyRange().endingHashKey());
    String middle = start.add(end).shiftRight(1).toString();
    client.splitShard(
        r -> r.streamName(name).shardToSplit(shard.shardId()).newStartingHashKey(middle));
    awaitActive();
  }

  /** Now, in whole milliseconds; when it returns, the clock has moved on. */
  static Instant passedInstant() {
    Instant t = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusMillis(1);
    await().pollInterval(Duration.ofMillis(1)).until(() -> Instant.now().isAfter(t));
    return t;
  }

  private List<Shard> shards() {
    return client.listShards(r -> r.streamName(name)).shards();
  }

  private List<Shard> open() {
    return shards().stream()
        .filter(shard -> shard.sequenceNumberRange().endingSequenceNumber() == null)
        .toList();
  }

  /** Of every shard, by its id. */
  Map<String, List<String>> parents() {
    Map<String, List<String>> parents = new HashMap<>();
    for (Shard shard : shards()) {
      parents.put(
          shard.shardId(),
          Stream.of(shard.parentShardId(), shard.adjacentParentShardId())
              .filter(id -> id != null && !id.isEmpty())
              .toList());
    }
    return parents;
  }

  /** Every user record, with the arrival that only the server knows. */
  List<Written> readBack() {
    List<Written> all = new ArrayList<>();
    for (Shard shard : shards()) {
      readBack(shard.shardId(), all);
    }
    assertThat(all).as("user records in the stream").hasSize(written);
    return all;
  }

  private void readBack(String shard, List<Written> into) {
    ShardIteratorType from = ShardIteratorType.TRIM_HORIZON;
    String next =
        client
            .getShardIterator(r -> r.streamName(name).shardId(shard).shardIteratorType(from))
            .shardIterator();
    boolean tip = false;
    while (next != null && !tip) {
      String iterator = next;
      var page = client.getRecords(r -> r.shardIterator(iterator));
      page.records().forEach(record -> into.addAll(userRecords(shard, record)));
      tip = page.records().isEmpty();
      next = page.nextShardIterator();
    }
  }

  private List<Written> userRecords(String shard, Record record) {
    List<Member> members = aggregates.get(shard + "/" + record.sequenceNumber());
    if (members == null) {
      Member alone = new Member(record.partitionKey(), record.data().asByteArray());
      return List.of(written(shard, record, OptionalInt.empty(), alone));
    }
    return IntStream.range(0, members.size())
        .mapToObj(i -> written(shard, record, OptionalInt.of(i), members.get(i)))
        .toList();
  }

  private static Written written(String shard, Record record, OptionalInt sub, Member member) {
    return new Written(
        shard,
        record.sequenceNumber(),
        sub,
        Optional.of(member.key()),
        Optional.empty(),
        record.approximateArrivalTimestamp(),
        member.data());
  }
}
