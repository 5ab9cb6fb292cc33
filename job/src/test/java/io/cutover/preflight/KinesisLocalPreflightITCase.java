package io.cutover.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.KinesisLocal;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kinesis.KinesisClient;
import software.amazon.awssdk.services.kinesis.model.StreamStatus;

/** The preflight before a Kinesis server that no one here wrote. */
class KinesisLocalPreflightITCase {

  @TempDir private Path dir;

  @Test
  void everythingIsAsItShouldBe() {
    try (EmbeddedKafka broker = EmbeddedKafka.start();
        KinesisLocal server = KinesisLocal.start();
        PreflightRig rig = new PreflightRig(broker, dir)) {
      createStream(server);

      rig.at(server.endpoint()).set("kinesis.stream", "local").unset("pin.boundary");
      PreflightResult result = rig.pin().run();

      assertThat(result.passed()).as(result.table()).isTrue();
      assertThat(result.checks()).extracting(Check::name).containsExactly(CheckName.values());
      assertThat(result.checks()).allMatch(check -> check.verdict() == Verdict.PASS);
    }
  }

  private static void createStream(KinesisLocal server) {
    try (KinesisClient client =
        KinesisClient.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .endpointOverride(server.endpoint())
            .build()) {
      client.createStream(r -> r.streamName("local").shardCount(2));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  client
                          .describeStreamSummary(r -> r.streamName("local"))
                          .streamDescriptionSummary()
                          .streamStatus()
                      == StreamStatus.ACTIVE);
      client.putRecord(
          r -> r.streamName("local").partitionKey("key").data(SdkBytes.fromUtf8String("value")));
    }
  }
}
