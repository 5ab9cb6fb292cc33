package io.cutover.backfill;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;

/**
 * Reads the whole stream of a benchmark: one thread a shard that calls GetRecords until nothing is
 * left. No state, no restart, no de-aggregation, no order of shards.
 */
public final class BareReading {

  private final URI endpoint;

  public BareReading(URI endpoint) {
    this.endpoint = endpoint;
  }

  /** What takes the pages of a shard, on that shard's thread. */
  interface PerShard {
    Consumer<List<Record>> of(int number, String shardId);
  }

  /** Reads and counts; returns how many records there are. */
  public long count() throws Exception {
    AtomicLong records = new AtomicLong();
    run((number, shard) -> page -> records.addAndGet(page.size()));
    return records.get();
  }

  /** Reads all shards at once; returns when the last page of each was taken. */
  void run(PerShard taker) throws Exception {
    try (KinesisClient kinesis = client()) {
      List<String> shards =
          kinesis.listShards(r -> r.streamName(BenchmarkServer.STREAM)).shards().stream()
              .map(shard -> shard.shardId())
              .toList();
      ExecutorService threads = Executors.newFixedThreadPool(shards.size());
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < shards.size(); i++) {
        String shard = shards.get(i);
        Consumer<List<Record>> pages = taker.of(i, shard);
        readers.add(threads.submit(() -> read(kinesis, shard, pages)));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
      threads.shutdown();
    }
  }

  private static void read(KinesisClient kinesis, String shard, Consumer<List<Record>> pages) {
    String iterator =
        kinesis
            .getShardIterator(
                r ->
                    r.streamName(BenchmarkServer.STREAM)
                        .shardId(shard)
                        .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
            .shardIterator();
    while (true) {
      String at = iterator;
      GetRecordsResponse page = kinesis.getRecords(r -> r.shardIterator(at).limit(10_000));
      pages.accept(page.records());
      iterator = page.nextShardIterator();
      if (iterator == null || page.millisBehindLatest() == 0) {
        return;
      }
    }
  }

  private KinesisClient client() {
    return KinesisClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }
}
