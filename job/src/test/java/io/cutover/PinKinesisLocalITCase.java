package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.KinesisLocal;
import io.cutover.pin.Pin;
import io.cutover.pin.PinFile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardIteratorType;
import software.amazon.awssdk.services.kinesis.model.StreamStatus;

/** A pin of a stream on a Kinesis server that no one here wrote. */
class PinKinesisLocalITCase {

  private static final String STREAM = "orders";

  @TempDir private Path dir;

  @Test
  void streamThatWasSplitIsFrozenAsTheServerTellsIt() {
    try (KinesisLocal server = KinesisLocal.start();
        KinesisClient client = client(server);
        EmbeddedKafka kafka = EmbeddedKafka.start()) {
      client.createStream(r -> r.streamName(STREAM).shardCount(1));
      awaitActive(client);
      client.putRecord(
          r -> r.streamName(STREAM).partitionKey("k").data(SdkBytes.fromUtf8String("v")));
      String root = shards(client).get(0).shardId();
      client.splitShard(
          r ->
              r.streamName(STREAM)
                  .shardToSplit(root)
                  .newStartingHashKey("170141183460469231731687303715884105728"));
      awaitActive(client);
      kafka.createTopic("orders", 2);
      CommandLineRig rig =
          new CommandLineRig(dir, server.endpoint(), STREAM, kafka.bootstrapServers(), "orders");
      Instant before = Instant.now();

      rig.pin();

      Pin pin = new PinFile(new CutoverDir(dir.toUri().toString())).read();
      assertThat(pin.boundary()).isBetween(before.minusSeconds(2), Instant.now());
      assertThat(pin.stream().arn()).endsWith("stream/" + STREAM);
      assertThat(pin.stream().retention()).isEqualTo(Duration.ofHours(24));
      assertThat(pin.shards())
          .extracting(shard -> List.of(shard.id(), shard.parents(), shard.closed()))
          .containsExactlyInAnyOrderElementsOf(
              shards(client).stream().map(PinKinesisLocalITCase::asListed).toList());
      assertThat(pin.shards()).hasSize(3);
      assertThat(pin.oldest())
          .singleElement()
          .isEqualTo(new Pin.OldestArrival(root, Optional.of(arrival(client, root))));
      assertThat(rig.pin().out()).contains("unchanged");
    }
  }

  private static List<Object> asListed(Shard shard) {
    return List.of(
        shard.shardId(),
        Stream.ofNullable(shard.parentShardId()).toList(),
        shard.sequenceNumberRange().endingSequenceNumber() != null);
  }

  private static Instant arrival(KinesisClient client, String shard) {
    String iterator =
        client
            .getShardIterator(
                r ->
                    r.streamName(STREAM)
                        .shardId(shard)
                        .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
            .shardIterator();
    var records = client.getRecords(r -> r.shardIterator(iterator)).records();
    return records.get(0).approximateArrivalTimestamp();
  }

  private static List<Shard> shards(KinesisClient client) {
    return client.listShards(r -> r.streamName(STREAM)).shards();
  }

  private static void awaitActive(KinesisClient client) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                client
                        .describeStreamSummary(r -> r.streamName(STREAM))
                        .streamDescriptionSummary()
                        .streamStatus()
                    == StreamStatus.ACTIVE);
  }

  private static KinesisClient client(KinesisLocal server) {
    return KinesisClient.builder()
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .endpointOverride(server.endpoint())
        .build();
  }
}
