package io.cutover.kinesis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisOptions.CredentialsProvider;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Lineage;
import io.cutover.lineage.Shard;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.local.kinesis.ReadStyle.EndIterator;
import io.cutover.local.kinesis.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.ExpiredNextTokenException;

class KinesisStreamTest {

  private static final Instant ARRIVAL = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private static final String FIRST = "shardId-000000000000";

  private static KinesisEmulator kinesis;
  private static KinesisStream byName;
  private static KinesisStream byArn;

  private EmulatedStream emulated;

  @BeforeAll
  static void start() {
    kinesis = KinesisEmulator.start();
    byName = door("orders");
    byArn = door("arn:aws:kinesis:us-east-1:000000000000:stream/orders");
  }

  private static KinesisStream door(String stream) {
    Configuration config = new Configuration();
    config.set(KinesisOptions.STREAM, stream);
    config.set(KinesisOptions.ENDPOINT, kinesis.endpoint().toString());
    config.set(KinesisOptions.REGION, "us-east-1");
    config.set(KinesisOptions.CREDENTIALS_PROVIDER, CredentialsProvider.BASIC);
    config.set(KinesisOptions.ACCESS_KEY_ID, "local");
    config.set(KinesisOptions.SECRET_KEY, "local");
    return new KinesisStream(config, 10);
  }

  @AfterAll
  static void stop() {
    byName.close();
    byArn.close();
    kinesis.close();
  }

  @BeforeEach
  void createStream() {
    emulated = kinesis.createStream("orders", 2, ARRIVAL.minus(Duration.ofHours(1)));
    kinesis.clearCalls();
  }

  @AfterEach
  void deleteStream() {
    kinesis.faults().clear();
    kinesis.clock().setOffset(Duration.ZERO);
    kinesis.deleteStream("orders");
  }

  private static long calls(String action) {
    return kinesis.calls().stream().map(Call::action).filter(action::equals).count();
  }

  private static Page page(KinesisStream stream, Position position) {
    return stream.page(stream.iterator(FIRST, position).join(), 10_000).join();
  }

  // ---- listing

  @Test
  void listingIsWholeOverItsPages() {
    kinesis.deleteStream("orders");
    emulated = kinesis.createStream("orders", 2500);
    for (KinesisStream stream : List.of(byName, byArn)) {
      kinesis.clearCalls();
      List<Shard> shards = stream.shards();
      assertThat(shards).hasSize(2500);
      assertThat(Lineage.of(shards).leavesTile()).isTrue();
      assertThat(calls("ListShards")).isEqualTo(3);
    }
  }

  @Test
  void listingThatFailsOnAPageIsNeverGivenInPart() {
    kinesis.deleteStream("orders");
    emulated = kinesis.createStream("orders", 1500);
    kinesis.faults().on("ListShards").after(1).times(1).internalFailure();
    assertThatThrownBy(byName::shards)
        .satisfies(e -> assertThat(KinesisFailure.of(e)).isEqualTo(KinesisFailure.TRANSIENT));
    assertThat(calls("ListShards")).isEqualTo(2);
  }

  @Test
  void expiredTokenBeginsTheListingAgain() {
    kinesis.deleteStream("orders");
    emulated = kinesis.createStream("orders", 1500);
    kinesis.faults().on("ListShards").after(1).times(1).expiredNextToken();
    assertThat(byName.shards()).hasSize(1500);
    assertThat(calls("ListShards")).isEqualTo(4);
  }

  @Test
  void tokenThatAlwaysExpiresIsSaid() {
    kinesis.faults().on("ListShards").expiredNextToken();
    assertThatThrownBy(byName::shards).isInstanceOf(ExpiredNextTokenException.class);
    assertThat(calls("ListShards")).isEqualTo(5);
  }

  @Test
  void listingShowsClosedParentsWithTheirChildren() {
    emulated.split(FIRST);
    emulated.merge("shardId-000000000003", "shardId-000000000001");
    List<Shard> shards = byName.shards();
    assertThat(shards)
        .extracting(Shard::id)
        .containsExactly(
            FIRST,
            "shardId-000000000001",
            "shardId-000000000002",
            "shardId-000000000003",
            "shardId-000000000004");
    assertThat(shards).extracting(Shard::closed).containsExactly(true, true, false, true, false);
    assertThat(shards.get(0).parents()).isEmpty();
    assertThat(shards.get(2).parents()).containsExactly(FIRST);
    assertThat(shards.get(4).parents())
        .containsExactlyInAnyOrder("shardId-000000000003", "shardId-000000000001");
    assertThat(shards.get(0).range().start()).isZero();
    assertThat(shards.get(1).range().end()).isEqualTo(HashRange.MAX);
  }

  @Test
  void shardsOpenAtAnInstantAreThoseThatTookRecordsThen() {
    emulated.split(FIRST, ARRIVAL.minus(Duration.ofMinutes(30)));
    assertThat(byName.shardsOpenAt(ARRIVAL.minus(Duration.ofMinutes(40))))
        .extracting(Shard::id)
        .containsExactly(FIRST, "shardId-000000000001");
    assertThat(byArn.shardsOpenAt(ARRIVAL.minus(Duration.ofMinutes(20))))
        .extracting(Shard::id)
        .containsExactly("shardId-000000000001", "shardId-000000000002", "shardId-000000000003");
  }

  // ---- pages

  @Test
  void pageHoldsTheRecordsAsTheyStand() {
    byte[] data = "grüße".getBytes(UTF_8);
    StoredRecord stored = emulated.put(FIRST, PutSpec.of("clé", data, ARRIVAL.plusMillis(123)));
    emulated.put(FIRST, PutSpec.withoutKey(new byte[0], ARRIVAL));
    for (KinesisStream stream : List.of(byName, byArn)) {
      Page page = page(stream, new Position.TrimHorizon());
      assertThat(page.records()).hasSize(2);
      KinesisRecord first = page.records().get(0);
      assertThat(first.sequenceNumber()).isEqualTo(stored.sequenceNumber());
      assertThat(first.partitionKey()).contains("clé");
      assertThat(first.arrivalMillis()).isEqualTo(ARRIVAL.toEpochMilli() + 123);
      assertThat(first.data()).isEqualTo(data);
      assertThat(page.records().get(1).partitionKey()).isEmpty();
      assertThat(page.records().get(1).data()).isEmpty();
      assertThat(page.bytes()).isEqualTo(data.length + "clé".length());
      assertThat(page.nextIterator()).isPresent();
      assertThat(page.millisBehindLatest()).hasValue(0);
      assertThat(page.atTip()).isFalse(); // believed on an empty page only
      assertThat(stream.page(page.nextIterator().orElseThrow(), 1).join().atTip()).isTrue();
    }
  }

  @Test
  void readingGoesOnBehindASequenceNumber() {
    StoredRecord first = emulated.put(FIRST, PutSpec.of("k", new byte[1], ARRIVAL));
    StoredRecord second = emulated.put(FIRST, PutSpec.of("k", new byte[2], ARRIVAL));
    Page page = page(byName, new Position.AfterSequence(first.sequenceNumber()));
    assertThat(page.records())
        .extracting(KinesisRecord::sequenceNumber)
        .containsExactly(second.sequenceNumber());
  }

  @Test
  void serverTimeIsTheDateHeadersWhateverTheClientsClock() {
    kinesis.clock().setOffset(Duration.ofMinutes(10));
    Page page = page(byName, new Position.TrimHorizon());
    assertThat(Duration.between(Instant.now(), page.serverTime()))
        .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(11));
    assertThat(page.serverTime().getNano()).isZero();
    assertThat(byName.describe().serverTime()).isAfter(Instant.now().plusSeconds(500));
  }

  @Test
  void closedEndHasNoNextIteratorInEitherStyle() {
    emulated.split(FIRST);
    for (EndIterator style : EndIterator.values()) {
      emulated.readStyle(ReadStyle.AWS.endIterator(style).childShards(false));
      assertThat(page(byName, new Position.TrimHorizon()).nextIterator()).isEmpty();
    }
  }

  @Test
  void emptyPageInMidDataIsNotTheTip() {
    emulated.put(FIRST, PutSpec.of("k", new byte[1], ARRIVAL.minusSeconds(60)));
    kinesis.faults().on("GetRecords").times(1).emptyPage();
    Page page = page(byName, new Position.TrimHorizon());
    assertThat(page.records()).isEmpty();
    assertThat(page.nextIterator()).isPresent();
    assertThat(page.atTip()).isFalse();
  }

  // ---- single calls

  @Test
  void failedCallIsNotRetriedByTheSdk() {
    String iterator = byName.iterator(FIRST, new Position.TrimHorizon()).join();
    kinesis.faults().on("*").internalFailure();
    assertThatThrownBy(() -> byName.page(iterator, 1).join())
        .satisfies(e -> assertThat(KinesisFailure.of(e)).isEqualTo(KinesisFailure.TRANSIENT));
    assertThatThrownBy(() -> byName.iterator(FIRST, new Position.TrimHorizon()).join())
        .satisfies(e -> assertThat(KinesisFailure.of(e)).isEqualTo(KinesisFailure.TRANSIENT));
    assertThatThrownBy(byName::describe);
    assertThat(calls("GetRecords")).isEqualTo(1);
    assertThat(calls("GetShardIterator")).isEqualTo(2); // one before the fault
    assertThat(calls("DescribeStreamSummary")).isEqualTo(1);
  }

  @Test
  void failuresAreToldApartAsTheyComeOverTheWire() {
    String iterator = byName.iterator(FIRST, new Position.TrimHorizon()).join();
    kinesis.faults().on("GetRecords").times(1).throttle();
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.THROTTLED);
    kinesis.faults().on("GetRecords").times(1).expiredIterator();
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.EXPIRED_ITERATOR);
    kinesis.faults().on("GetRecords").times(1).notFound();
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.NOT_FOUND);
    kinesis.faults().on("GetRecords").times(1).unavailable503();
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.TRANSIENT);
    kinesis.faults().on("GetRecords").times(1).cutConnection();
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.TRANSIENT);
    kinesis.faults().on("GetRecords").times(1).refuse("KMSThrottlingException", 400);
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.THROTTLED);
    kinesis.faults().on("GetRecords").times(1).refuse("AccessDeniedException", 400);
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.DENIED);
    kinesis.faults().on("GetRecords").times(1).refuse("NeverHeardOfException", 400);
    assertThat(failure(iterator)).isEqualTo(KinesisFailure.UNKNOWN);
  }

  private static KinesisFailure failure(String iterator) {
    return byName.page(iterator, 1).handle((page, thrown) -> KinesisFailure.of(thrown)).join();
  }

  // ---- description

  @Test
  void descriptionSaysWhatTheServerSays() {
    emulated
        .retention(Duration.ofDays(7))
        .mode(EmulatedStream.Mode.ON_DEMAND)
        .distributionStrategy(Optional.of("AUTO"))
        .maxRecordSizeKiB(10_240);
    for (KinesisStream stream : List.of(byName, byArn)) {
      StreamDescription description = stream.describe();
      assertThat(description.name()).isEqualTo("orders");
      assertThat(description.arn()).isEqualTo(emulated.arn());
      assertThat(description.status()).isEqualTo("ACTIVE");
      assertThat(description.createdAt()).isEqualTo(emulated.creationTime());
      assertThat(description.retention()).isEqualTo(Duration.ofDays(7));
      assertThat(description.mode()).contains("ON_DEMAND");
      assertThat(description.distributionStrategy()).contains("AUTO");
      assertThat(description.maxRecordSizeKiB()).isEqualTo(10_240);
    }
  }

  @Test
  void strategyThatIsNotToldIsAbsent() {
    assertThat(byName.describe().distributionStrategy()).isEmpty();
    assertThat(byName.describe().mode()).contains("PROVISIONED");
  }

  /** Not that nobody answers: nobody was asked. */
  @Test
  void missingCredentialsAreDenied() {
    Configuration config = new Configuration();
    config.set(KinesisOptions.STREAM, "orders");
    config.set(KinesisOptions.ENDPOINT, kinesis.endpoint().toString());
    config.set(KinesisOptions.REGION, "us-east-1");
    config.set(KinesisOptions.CREDENTIALS_PROVIDER, CredentialsProvider.SYS_PROP);
    assertThatThrownBy(() -> KinesisAnswer.describe(config))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("aws.credentials.provider")
        .hasMessageContaining("[KINESIS_DENIED]");
  }
}
