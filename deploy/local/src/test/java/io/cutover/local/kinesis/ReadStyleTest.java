package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.local.kinesis.ReadStyle.EndIterator;
import io.cutover.local.kinesis.ReadStyle.Lag;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.ExpiredNextTokenException;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.RecordDistributionStrategy;
import software.amazon.awssdk.services.kinesis.model.StreamDescriptionSummary;

class ReadStyleTest extends EmulatorFixture {

  private final EmulatedStream stream = emulator.createStream(STREAM, 1, NOW.minusSeconds(86_400));
  private final String shardId = stream.shards().get(0).id();

  ReadStyleTest() {
    super(KinesisEmulator.builder());
  }

  @Test
  void lagIsWhatTheNextUnreadRecordSays() {
    stream.put(shardId, text("a", NOW.minusSeconds(60)));
    stream.put(shardId, text("b", NOW.minusSeconds(40)));
    stream.put(shardId, text("c", NOW.minusSeconds(10)));
    stream.readStyle(ReadStyle.AWS.pageRecords(1));
    assertThat(lags()).containsExactly(40_000L, 10_000L, 0L);
    stream.readStyle(ReadStyle.AWS.pageRecords(1).lag(Lag.LAST_RECORD));
    assertThat(lags()).containsExactly(30_000L, 1L, 0L);
    stream.readStyle(ReadStyle.AWS.pageRecords(1).lag(Lag.ALWAYS_ZERO));
    assertThat(lags()).containsExactly(0L, 0L, 0L);
  }

  private List<Long> lags() {
    return pages(horizon(shardId), 3).stream().map(GetRecordsResponse::millisBehindLatest).toList();
  }

  @Test
  void unreadRecordOfTheFutureIsNotTheTip() {
    stream.put(shardId, text("a", NOW));
    stream.put(shardId, text("b", NOW.plusSeconds(60)));
    stream.readStyle(ReadStyle.AWS.pageRecords(1));
    assertThat(page(horizon(shardId)).millisBehindLatest()).isPositive();
  }

  @Test
  void emptyPagesPrecedeTheEndOfAClosedShard() {
    stream.put(shardId, text("a", NOW));
    stream.split(shardId);
    stream.readStyle(ReadStyle.AWS.emptyPagesBeforeEnd(2));
    List<GetRecordsResponse> pages = pages(horizon(shardId), 10);
    assertThat(pages).extracting(page -> page.records().size()).containsExactly(1, 0, 0, 0);
    assertThat(pages.get(2).childShards()).isEmpty();
    assertThat(pages.get(3).childShards()).hasSize(2);
  }

  @Test
  void childrenCanBeLeftOut() {
    stream.split(shardId);
    stream.readStyle(ReadStyle.AWS.childShards(false));
    GetRecordsResponse end = page(horizon(shardId));
    assertThat(end.nextShardIterator()).isNull();
    assertThat(end.hasChildShards()).isFalse();
  }

  @Test
  void endIteratorIsNullOrAbsent() throws Exception {
    stream.split(shardId);
    assertThat(rawPage().get("NextShardIterator").isNull()).isTrue();
    stream.readStyle(ReadStyle.AWS.endIterator(EndIterator.ABSENT));
    assertThat(rawPage().has("NextShardIterator")).isFalse();
  }

  private JsonNode rawPage() throws Exception {
    ObjectMapper json = new ObjectMapper();
    String body = json.writeValueAsString(Map.of("ShardIterator", horizon(shardId)));
    HttpRequest request =
        HttpRequest.newBuilder(emulator.endpoint())
            .header("Content-Type", "application/x-amz-json-1.1")
            .header("X-Amz-Target", "Kinesis_20131202.GetRecords")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return json.readTree(
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  @Test
  void dateHeaderTellsTheEmulatorsTime() {
    emulator.clock().freeze(Instant.parse("2031-02-03T04:05:06.789Z"));
    assertThat(page(horizon(shardId)).sdkHttpResponse().firstMatchingHeader("Date"))
        .contains("Mon, 03 Feb 2031 04:05:06 GMT");
  }

  @Test
  void pageHoldsTenMebibytesAndTenThousandRecords() {
    byte[] mebibyte = new byte[(1 << 20) - 1];
    for (int i = 0; i < 11; i++) {
      stream.put(shardId, PutSpec.of("k", mebibyte, NOW));
    }
    for (int i = 0; i < 10_001; i++) {
      stream.put(shardId, PutSpec.of("k", new byte[0], NOW));
    }
    assertThat(pages(horizon(shardId), 3))
        .extracting(page -> page.records().size())
        .containsExactly(10, 10_000, 2);
  }

  @Test
  void recordWithoutAKeyHasNone() {
    stream.put(shardId, PutSpec.withoutKey(new byte[] {1}, NOW));
    assertThat(page(horizon(shardId)).records().get(0).partitionKey()).isNull();
  }

  @Test
  void summaryTellsTheSettings() {
    stream
        .mode(EmulatedStream.Mode.ON_DEMAND)
        .distributionStrategy(Optional.of("AUTO"))
        .maxRecordSizeKiB(10_240)
        .retention(Duration.ofDays(7));
    StreamDescriptionSummary summary =
        client.describeStreamSummary(r -> r.streamName(STREAM)).streamDescriptionSummary();
    assertThat(summary.recordDistributionStrategy()).isEqualTo(RecordDistributionStrategy.AUTO);
    assertThat(summary.maxRecordSizeInKiB()).isEqualTo(10_240);
    assertThat(summary.retentionPeriodHours()).isEqualTo(168);
    assertThat(summary.streamCreationTimestamp()).isEqualTo(NOW.minusSeconds(86_400));
  }

  @Test
  void listingTokenLivesFiveMinutes() {
    stream.split(shardId);
    String token = client.listShards(r -> r.streamName(STREAM).maxResults(1)).nextToken();
    emulator.clock().advance(Duration.ofSeconds(301));
    assertThatThrownBy(() -> client.listShards(r -> r.nextToken(token)))
        .isInstanceOf(ExpiredNextTokenException.class);
  }
}
