package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.DescribeStreamSummaryResponse;
import software.amazon.awssdk.services.kinesis.model.InvalidArgumentException;
import software.amazon.awssdk.services.kinesis.model.ResourceInUseException;
import software.amazon.awssdk.services.kinesis.model.ResourceNotFoundException;
import software.amazon.awssdk.services.kinesis.model.StreamDescriptionSummary;
import software.amazon.awssdk.services.kinesis.model.StreamMode;

/** The rules for streams as a whole. */
interface StreamContract {

  ContractServer server();

  private StreamDescriptionSummary summary(String stream) {
    return server()
        .client()
        .describeStreamSummary(r -> r.streamName(stream))
        .streamDescriptionSummary();
  }

  @Test
  default void summaryTellsWhatTheStreamIs() {
    String stream = server().createStream(2);
    StreamDescriptionSummary summary = summary(stream);
    assertThat(summary.streamName()).isEqualTo(stream);
    assertThat(summary.streamARN()).startsWith("arn:aws:kinesis:us-east-1:").endsWith(stream);
    assertThat(summary.streamModeDetails().streamMode()).isEqualTo(StreamMode.PROVISIONED);
    assertThat(summary.retentionPeriodHours()).isEqualTo(24);
    assertThat(summary.openShardCount()).isEqualTo(2);
    assertThat(summary.streamCreationTimestamp())
        .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    assertThat(summary.recordDistributionStrategy()).isNull();
  }

  @Test
  default void summaryTellsTheLargestRecord() {
    String stream = server().createStream(1);
    server()
        .rule(
            KnownDifference.MAX_RECORD_SIZE,
            () -> assertThat(summary(stream).maxRecordSizeInKiB()).isEqualTo(1024));
  }

  @Test
  default void onDemandStreamTellsItsMode() {
    String stream = server().createStream(1) + "-on-demand";
    server()
        .client()
        .createStream(
            r -> r.streamName(stream).streamModeDetails(m -> m.streamMode(StreamMode.ON_DEMAND)));
    server().awaitActive(stream);
    assertThat(summary(stream).streamModeDetails().streamMode()).isEqualTo(StreamMode.ON_DEMAND);
    assertThat(summary(stream).openShardCount()).isEqualTo(4);
  }

  @Test
  default void arnStandsForTheName() {
    String stream = server().createStream(1);
    String arn = summary(stream).streamARN();
    DescribeStreamSummaryResponse byArn =
        server().client().describeStreamSummary(r -> r.streamARN(arn));
    assertThat(byArn.streamDescriptionSummary().streamName()).isEqualTo(stream);
    assertThat(server().client().listShards(r -> r.streamARN(arn)).shards()).hasSize(1);
  }

  @Test
  default void nameIsTakenOnce() {
    String stream = server().createStream(1);
    assertThatThrownBy(
            () -> server().client().createStream(r -> r.streamName(stream).shardCount(1)))
        .isInstanceOf(ResourceInUseException.class);
  }

  @Test
  default void unknownStreamIsNotFound() {
    assertThatThrownBy(() -> summary("no-such-stream"))
        .isInstanceOf(ResourceNotFoundException.class);
    assertThatThrownBy(() -> server().shards("no-such-stream"))
        .isInstanceOf(ResourceNotFoundException.class);
    assertThatThrownBy(() -> server().put("no-such-stream", "x"))
        .isInstanceOf(ResourceNotFoundException.class);
    assertThatThrownBy(
            () ->
                server()
                    .iterator(
                        "no-such-stream", "shardId-000000000000", ContractServer.fromHorizon()))
        .isInstanceOf(ResourceNotFoundException.class);
  }

  @Test
  default void deletedStreamIsGone() {
    String stream = server().createStream(1);
    server().client().deleteStream(r -> r.streamName(stream));
    await()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> summary(stream))
                    .isInstanceOf(ResourceNotFoundException.class));
  }

  @Test
  default void retentionIsRaisedAndLowered() {
    String stream = server().createStream(1);
    server()
        .client()
        .increaseStreamRetentionPeriod(r -> r.streamName(stream).retentionPeriodHours(168));
    assertThat(summary(stream).retentionPeriodHours()).isEqualTo(168);
    server()
        .client()
        .decreaseStreamRetentionPeriod(r -> r.streamName(stream).retentionPeriodHours(48));
    assertThat(summary(stream).retentionPeriodHours()).isEqualTo(48);
    assertThatThrownBy(
            () ->
                server()
                    .client()
                    .increaseStreamRetentionPeriod(
                        r -> r.streamName(stream).retentionPeriodHours(9000)))
        .isInstanceOf(InvalidArgumentException.class);
  }

  @Test
  default void everyAnswerTellsTheServersTime() {
    String stream = server().createStream(1);
    String date =
        server()
            .client()
            .describeStreamSummary(r -> r.streamName(stream))
            .sdkHttpResponse()
            .firstMatchingHeader("Date")
            .orElseThrow();
    assertThat(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant())
        .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
  }

  @Test
  default void everyAnswerHasARequestId() {
    String stream = server().createStream(1);
    assertThat(
            server()
                .client()
                .describeStreamSummary(r -> r.streamName(stream))
                .responseMetadata()
                .requestId())
        .isNotEqualTo("UNKNOWN");
  }
}
