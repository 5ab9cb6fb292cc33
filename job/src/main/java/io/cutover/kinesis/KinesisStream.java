package io.cutover.kinesis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.flink.configuration.ReadableConfig;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.services.kinesis.KinesisAsyncClient;
import software.amazon.awssdk.services.kinesis.model.DescribeStreamSummaryRequest;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.kinesis.model.GetShardIteratorResponse;
import software.amazon.awssdk.services.kinesis.model.KinesisResponse;
import software.amazon.awssdk.services.kinesis.model.ListShardsRequest;
import software.amazon.awssdk.services.kinesis.model.ListShardsResponse;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.ShardFilter;
import software.amazon.awssdk.services.kinesis.model.ShardFilterType;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

/**
 * One stream behind the AWS SDK: the only door to Kinesis. It makes single calls and never retries;
 * what a failure means is {@link KinesisFailure}'s to say and the caller's to act on. Only reads.
 *
 * <p>Used on the client, the JobManager (listings) and the TaskManagers (records). Thread-safe.
 */
public final class KinesisStream implements AutoCloseable {

  private static final int MAX_LISTING_RESTARTS = 5;

  /** A small answer, and a person may be waiting for it. */
  private static final Duration DESCRIBE_TIMEOUT = Duration.ofSeconds(15);

  /** Connections still say goodbye on the threads that are being ended. */
  private static final long CLOSING_QUIET_MILLIS = 100;

  private static final long CLOSING_MILLIS = 1000;

  private final String stream;
  private final SdkEventLoopGroup loops = SdkEventLoopGroup.builder().build();
  private final KinesisAsyncClient client;

  /**
   * Opens the door; no call is made yet.
   *
   * @param concurrency how many calls may be under way at once
   */
  public KinesisStream(ReadableConfig config, int concurrency) {
    this.stream = config.get(KinesisOptions.STREAM);
    this.client = KinesisClients.create(config, concurrency, loops);
  }

  public StreamDescription describe() {
    var request =
        DescribeStreamSummaryRequest.builder()
            .overrideConfiguration(call -> call.apiCallTimeout(DESCRIBE_TIMEOUT));
    if (isArn()) {
      request.streamARN(stream);
    } else {
      request.streamName(stream);
    }
    var response = joined(client.describeStreamSummary(request.build()));
    var summary = response.streamDescriptionSummary();
    return new StreamDescription(
        summary.streamName(),
        summary.streamARN(),
        summary.streamStatusAsString(),
        summary.streamCreationTimestamp(),
        Duration.ofHours(summary.retentionPeriodHours()),
        Optional.ofNullable(summary.streamModeDetails()).map(mode -> mode.streamModeAsString()),
        Optional.ofNullable(summary.recordDistributionStrategyAsString()),
        Optional.ofNullable(summary.maxRecordSizeInKiB()).orElse(1024),
        serverTime(response));
  }

  /**
   * Every shard in retention, closed parents included: one complete listing, never a part of one. A
   * token that expires between two pages begins the listing again.
   */
  public List<Shard> shards() {
    // Without a filter the listing begins at the trim horizon and includes closed shards.
    return listed(Optional.empty());
  }

  /** The shards that were open at an instant within retention; a complete listing likewise. */
  public List<Shard> shardsOpenAt(Instant instant) {
    return listed(
        Optional.of(
            ShardFilter.builder().type(ShardFilterType.AT_TIMESTAMP).timestamp(instant).build()));
  }

  private List<Shard> listed(Optional<ShardFilter> filter) {
    for (int attempt = 1; ; attempt++) {
      try {
        return listedOnce(filter);
      } catch (RuntimeException failure) {
        boolean again =
            KinesisFailure.of(failure) == KinesisFailure.EXPIRED_TOKEN
                && attempt < MAX_LISTING_RESTARTS;
        if (!again) {
          throw failure;
        }
      }
    }
  }

  private List<Shard> listedOnce(Optional<ShardFilter> filter) {
    List<Shard> shards = new ArrayList<>();
    var first = ListShardsRequest.builder();
    filter.ifPresent(first::shardFilter);
    if (isArn()) {
      first.streamARN(stream);
    } else {
      first.streamName(stream);
    }
    ListShardsResponse page = joined(client.listShards(first.build()));
    page.shards().forEach(shard -> shards.add(shard(shard)));
    while (page.nextToken() != null) {
      String token = page.nextToken();
      page = joined(client.listShards(ListShardsRequest.builder().nextToken(token).build()));
      page.shards().forEach(shard -> shards.add(shard(shard)));
    }
    return shards;
  }

  private static Shard shard(software.amazon.awssdk.services.kinesis.model.Shard shard) {
    List<String> parents =
        Stream.of(shard.parentShardId(), shard.adjacentParentShardId())
            .filter(id -> id != null && !id.isEmpty())
            .toList();
    var keys = shard.hashKeyRange();
    return new Shard(
        shard.shardId(),
        parents,
        new HashRange(new BigInteger(keys.startingHashKey()), new BigInteger(keys.endingHashKey())),
        // The number itself is not used: not every server gives the real one.
        shard.sequenceNumberRange().endingSequenceNumber() != null);
  }

  public CompletableFuture<String> iterator(String shardId, Position position) {
    var request = GetShardIteratorRequest.builder().shardId(shardId);
    if (isArn()) {
      request.streamARN(stream);
    } else {
      request.streamName(stream);
    }
    if (position instanceof Position.AfterSequence after) {
      request
          .shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
          .startingSequenceNumber(after.sequenceNumber());
    } else if (position instanceof Position.AtSequence at) {
      request
          .shardIteratorType(ShardIteratorType.AT_SEQUENCE_NUMBER)
          .startingSequenceNumber(at.sequenceNumber());
    } else if (position instanceof Position.AtTimestamp at) {
      request.shardIteratorType(ShardIteratorType.AT_TIMESTAMP).timestamp(at.instant());
    } else {
      request.shardIteratorType(ShardIteratorType.TRIM_HORIZON);
    }
    return client
        .getShardIterator(request.build())
        .thenApply(GetShardIteratorResponse::shardIterator);
  }

  /**
   * One page of at most {@code limit} records.
   *
   * @param limit 1 to 10,000
   */
  public CompletableFuture<Page> page(String iterator, int limit) {
    return client
        .getRecords(r -> r.shardIterator(iterator).limit(limit))
        .thenApply(KinesisStream::page);
  }

  private static Page page(GetRecordsResponse response) {
    List<KinesisRecord> records = new ArrayList<>(response.records().size());
    long bytes = 0;
    for (Record record : response.records()) {
      byte[] data = record.data().asByteArrayUnsafe();
      Optional<String> key = Optional.ofNullable(record.partitionKey());
      bytes += data.length + key.map(String::length).orElse(0);
      records.add(
          new KinesisRecord(
              record.sequenceNumber(),
              key,
              record.approximateArrivalTimestamp().toEpochMilli(),
              data));
    }
    return new Page(
        records,
        Optional.ofNullable(response.nextShardIterator()).filter(next -> !next.isEmpty()),
        response.millisBehindLatest() == null
            ? OptionalLong.empty()
            : OptionalLong.of(response.millisBehindLatest()),
        serverTime(response),
        bytes);
  }

  /** The HTTP Date of the answer. A server without one cannot tell when T has passed: refused. */
  private static Instant serverTime(KinesisResponse response) {
    SdkHttpResponse http = response.sdkHttpResponse();
    String date =
        http.firstMatchingHeader("Date")
            .orElseThrow(
                () ->
                    new Refusal(
                        Reason.KINESIS_PROXY,
                        "the Kinesis endpoint sent an answer without a Date header. The end of an"
                            + " open shard is decided by the server's clock, which is read from"
                            + " it: let the proxy in between pass the header"));
    try {
      return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeParseException e) {
      throw new Refusal(
          Reason.KINESIS_PROXY,
          "the Kinesis endpoint's Date header is '" + date + "', not an RFC 1123 date",
          e);
    }
  }

  private boolean isArn() {
    return stream.startsWith("arn:");
  }

  private static <T> T joined(CompletableFuture<T> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    client.close();
    loops
        .eventLoopGroup()
        .shutdownGracefully(CLOSING_QUIET_MILLIS, CLOSING_MILLIS, MILLISECONDS)
        .awaitUninterruptibly(CLOSING_MILLIS, MILLISECONDS);
  }
}
