package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.local.kinesis.KinesisLocal;
import io.cutover.rig.CopyOracle;
import io.cutover.rig.Producer.Written;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;
import software.amazon.awssdk.services.kinesis.model.PutRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;
import software.amazon.awssdk.services.kinesis.model.StreamStatus;

/** The copy from a Kinesis server that no one here wrote, with real puts, splits and merges. */
class KinesisLocalITCase {

  private static final int PARTITIONS = 4;

  private static Cluster cluster;
  private static KinesisLocal server;
  private static KinesisClient client;

  @TempDir private Path dir;

  @BeforeAll
  static void start() {
    cluster = new Cluster(1, 2);
    server = KinesisLocal.start();
    client =
        KinesisClient.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .endpointOverride(server.endpoint())
            .build();
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    server.close();
    cluster.close();
  }

  @Test
  void streamThatWasSplitAndMergedIsCopiedUpToTOnceAndInOrder() throws Exception {
    Live live = new Live("before", 2);
    try (CopyRig rig = rig(live)) {
      live.put(2000);
      List<Shard> children = live.split(live.open().get(0));
      live.put(1000);
      live.merge(children.get(1), live.open().get(0));
      live.put(1000);
      Instant t = live.passedInstant();
      live.put(50);

      cluster.run(rig.graph(t, 2));

      live.assertExact(rig, t);
      assertThat(rig.report().path("shards")).hasSize(5);
      // Without slack the first record from T on ends its shard, and is all that it skips.
      assertThat(rig.report().path("totals").path("skipped").asInt()).isEqualTo(live.open().size());
    }
  }

  @Test
  void streamThatIsSplitAndMergedWhileItIsReadIsCopiedUpToTOnceAndInOrder() throws Exception {
    Live live = new Live("during", 2);
    try (CopyRig rig = rig(live)) {
      live.put(4000);
      Instant t = live.passedInstant();
      // Slow enough that the shards are half read when they are closed.
      rig.set("source.shard.get-records.max-record-count", "100");
      rig.set("source.shard.get-records.max-calls-per-second", "5");

      JobID job = cluster.submit(rig.graph(t, 2));
      await().atMost(Duration.ofSeconds(60)).until(() -> !rig.contents().isEmpty());
      List<Shard> roots = live.open();
      List<Shard> children = live.split(roots.get(0));
      live.put(100);
      live.merge(children.get(1), roots.get(1));
      live.put(100);
      cluster.await(job).toJobExecutionResult(getClass().getClassLoader());

      live.assertExact(rig, t);
      assertThat(rig.report().path("shards")).hasSize(5);
      assertThat(rig.report().path("totals").path("skipped").asInt()).isPositive();
    }
  }

  private CopyRig rig(Live live) {
    return new CopyRig(dir, 1, PARTITIONS)
        .at(server.endpoint())
        .set("kinesis.stream", live.stream)
        .set("boundary.slack", "0 s");
  }

  /** A stream that is written to, and reshaped, through the API alone. */
  private static final class Live {

    private static final int BATCH = 250;

    final String stream;
    private final Map<String, String> valuesByOrigin = new HashMap<>();

    Live(String stream, int shards) {
      this.stream = stream;
      client.createStream(r -> r.streamName(stream).shardCount(shards));
      awaitActive();
    }

    private void awaitActive() {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  client
                          .describeStreamSummary(r -> r.streamName(stream))
                          .streamDescriptionSummary()
                          .streamStatus()
                      == StreamStatus.ACTIVE);
    }

    void put(int count) {
      int first = valuesByOrigin.size();
      for (int from = first; from < first + count; from += BATCH) {
        List<PutRecordsRequestEntry> entries =
            IntStream.range(from, Math.min(from + BATCH, first + count))
                .mapToObj(Live::entry)
                .toList();
        PutRecordsResponse answer = client.putRecords(r -> r.streamName(stream).records(entries));
        assertThat(answer.failedRecordCount()).isZero();
        for (int i = 0; i < entries.size(); i++) {
          var put = answer.records().get(i);
          valuesByOrigin.put(
              put.shardId() + "/" + put.sequenceNumber(), entries.get(i).data().asUtf8String());
        }
      }
    }

    private static PutRecordsRequestEntry entry(int number) {
      return PutRecordsRequestEntry.builder()
          .partitionKey("key-" + number % 97)
          .data(SdkBytes.fromUtf8String("value " + number))
          .build();
    }

    /** Now; when it returns, the clock has moved on. */
    Instant passedInstant() {
      Instant t = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusMillis(1);
      await().pollInterval(Duration.ofMillis(1)).until(() -> Instant.now().isAfter(t));
      return t;
    }

    List<Shard> split(Shard shard) {
      BigInteger start = new BigInteger(shard.hashKeyRange().startingHashKey());
      BigInteger end = new BigInteger(shard.hashKeyRange().endingHashKey());
      Set<String> before = new HashSet<>(all().stream().map(Shard::shardId).toList());
      client.splitShard(
          r ->
              r.streamName(stream)
                  .shardToSplit(shard.shardId())
                  .newStartingHashKey(start.add(end).shiftRight(1).toString()));
      awaitActive();
      return all().stream().filter(s -> !before.contains(s.shardId())).toList();
    }

    void merge(Shard one, Shard other) {
      client.mergeShards(
          r ->
              r.streamName(stream)
                  .shardToMerge(one.shardId())
                  .adjacentShardToMerge(other.shardId()));
      awaitActive();
    }

    private List<Shard> all() {
      return client.listShards(r -> r.streamName(stream)).shards();
    }

    List<Shard> open() {
      return all().stream()
          .filter(shard -> shard.sequenceNumberRange().endingSequenceNumber() == null)
          .toList();
    }

    void assertExact(CopyRig rig, Instant t) {
      Map<String, List<String>> parents = new HashMap<>();
      for (Shard shard : all()) {
        parents.put(
            shard.shardId(),
            Stream.of(shard.parentShardId(), shard.adjacentParentShardId())
                .filter(id -> id != null && !id.isEmpty())
                .toList());
      }
      CopyOracle.assertExact(rig.contents(), written(), parents, t, PARTITIONS);
    }

    /** What was put, with the arrival that only the server knows: read back by a plain loop. */
    private List<Written> written() {
      List<Written> written = new ArrayList<>();
      for (Shard shard : all()) {
        readBack(shard.shardId(), written);
      }
      assertThat(written)
          .allSatisfy(
              w ->
                  assertThat(new String(w.data(), StandardCharsets.UTF_8))
                      .isEqualTo(valuesByOrigin.get(w.origin())));
      assertThat(written).hasSameSizeAs(valuesByOrigin.keySet());
      return written;
    }

    private void readBack(String shard, List<Written> into) {
      String next =
          client
              .getShardIterator(
                  r ->
                      r.streamName(stream)
                          .shardId(shard)
                          .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
              .shardIterator();
      boolean tip = false;
      while (next != null && !tip) {
        String iterator = next;
        var page = client.getRecords(r -> r.shardIterator(iterator));
        page.records()
            .forEach(
                record ->
                    into.add(
                        new Written(
                            shard,
                            record.sequenceNumber(),
                            OptionalInt.empty(),
                            Optional.of(record.partitionKey()),
                            Optional.empty(),
                            record.approximateArrivalTimestamp(),
                            record.data().asByteArray())));
        tip = page.records().isEmpty();
        next = page.nextShardIterator();
      }
    }
  }
}
