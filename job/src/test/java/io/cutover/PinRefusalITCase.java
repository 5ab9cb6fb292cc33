package io.cutover;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.CommandLineRig.Said;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.KinesisEmulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pin refuses, before there is a pin and after. */
class PinRefusalITCase {

  private static EmbeddedKafka kafka;

  @TempDir private Path dir;

  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final String topic = "orders-" + UUID.randomUUID();
  private CommandLineRig rig;
  private Instant now;

  @BeforeAll
  static void startKafka() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @BeforeEach
  void soundStreamAndTopic() {
    now = kinesis.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    kinesis.createStream("orders", 1, now.minus(ofHours(10)));
    kafka.createTopic(topic, 2);
    rig = new CommandLineRig(dir, kinesis.endpoint(), "orders", kafka.bootstrapServers(), topic);
  }

  @AfterEach
  void nothingIsWrittenByHalf() throws IOException {
    kinesis.close();
    try (var files = Files.list(dir)) {
      assertThat(files).isSubsetOf(List.of(rig.pinFile()));
    }
  }

  private void assertRefusedUnpinned(Reason reason, String... parts) {
    rig.assertRefused("pin", reason, parts);
    assertThat(rig.pinFile()).doesNotExist();
  }

  // ---- T

  @Test
  void boundaryInTheFutureIsRefused() {
    Instant t = now.plusSeconds(60);
    rig.set("pin.boundary", t.toString());
    assertRefusedUnpinned(Reason.BOUNDARY_UNUSABLE, t.toString(), "in the future", "Give a T");
  }

  @Test
  void boundaryBehindTheHorizonIsRefused() {
    rig.set("pin.boundary", now.minus(ofHours(24)).minusSeconds(1).toString());
    assertRefusedUnpinned(Reason.BOUNDARY_UNUSABLE, "retains nothing from before", "orders");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1764460800", "2026-11-30", "now", "2026-11-30T00:00:00.0000001Z"})
  void boundaryThatIsNoInstantIsBadUsageWhateverElseIsWrong(String text) {
    rig.set("pin.boundary", text);
    rig.set("kafka.topic", "missing");
    Said said = rig.run("pin");
    assertThat(said.code()).isEqualTo(64);
    assertThat(said.reason()).contains("pin.boundary", text);
  }

  @Test
  void boundaryThatHasAgedPastTheHorizonIsRefusedWithTheWayOut() {
    rig.pin();
    kinesis.clock().advance(ofHours(25));
    rig.assertRefused("pin", Reason.BOUNDARY_EXPIRED, "raise its retention", "cutover.dir");
  }

  // ---- the stream

  @Test
  void missingStreamIsNamedWithItsEndpoint() {
    rig.set("kinesis.stream", "missing");
    assertRefusedUnpinned(
        Reason.STREAM_MISSING, "missing", kinesis.endpoint().toString(), "the region");
  }

  @Test
  void streamThatWasDeletedAndCreatedAgainIsRefused() {
    rig.pin();
    kinesis.deleteStream("orders");
    rig.assertRefused("pin", Reason.STREAM_MISSING, "orders");
    kinesis.createStream("orders", 1, now.minus(ofHours(1)));
    rig.assertRefused("pin", Reason.STREAM_RECREATED, "another cutover.dir");
  }

  @ParameterizedTest
  @CsvSource({
    "DescribeStreamSummary,AccessDeniedException,400",
    "ListShards,AccessDeniedException,400",
    "GetShardIterator,AccessDeniedException,400",
    "GetRecords,AccessDeniedException,400",
    "*,UnrecognizedClientException,400",
    "*,ExpiredTokenException,400",
    "*,SomethingNewException,403"
  })
  void whatIsDeniedIsSaidWithTheRightsThatAreNeeded(String action, String type, int status) {
    kinesis.faults().on(action).refuse(type, status);
    assertRefusedUnpinned(
        Reason.KINESIS_DENIED, "orders", "aws.credentials.provider", "GetRecords");
  }

  @ParameterizedTest
  @ValueSource(strings = {"KMSAccessDeniedException", "KMSDisabledException"})
  void streamWhoseKeyCannotBeUsedIsSaidWithTheRightOnTheKey(String type) {
    kinesis.faults().on("GetRecords").refuse(type, 400);
    assertRefusedUnpinned(Reason.KINESIS_DENIED, "orders", "kms:Decrypt", "key is enabled");
  }

  @Test
  void credentialsThatAreNotGivenAreBadUsage() {
    rig.unset("aws.credentials.basic.secretkey");
    Said said = rig.run("pin");
    assertThat(said.code()).as(said.out()).isEqualTo(64);
    assertThat(said.reason()).contains("aws.credentials.basic.secretkey");
  }

  @Test
  void secretKeyIsNeverPrinted() {
    rig.set("aws.credentials.basic.secretkey", "s3cr3t-0f-mine");
    kinesis.faults().on("*").refuse("AccessDeniedException", 400);
    assertThat(rig.run("pin", "--stacktrace").out()).doesNotContain("s3cr3t");
    rig.set("kinesis.endpoint", "http://127.0.0.1:1");
    assertThat(rig.run("pin", "--stacktrace").out()).doesNotContain("s3cr3t");
  }

  // ---- the topic

  @Test
  void missingTopicIsNamedWithItsServers() {
    rig.set("kafka.topic", "missing");
    assertRefusedUnpinned(
        Reason.TOPIC_MISSING, "topic missing does not exist", kafka.bootstrapServers(), "create");
  }

  @Test
  void topicThatWasDeletedAndCreatedAgainIsRefused() {
    rig.pin();
    rig.deleteTopic();
    rig.assertRefused("pin", Reason.TOPIC_MISSING, topic);
    kafka.createTopic(topic, 2);
    rig.assertRefused("pin", Reason.TOPIC_RECREATED, topic, "another cutover.dir");
  }

  @Test
  void topicThatTookMorePartitionsIsRefused() {
    rig.pin();
    rig.addPartitions(5);
    rig.assertRefused("pin", Reason.TOPIC_REPARTITIONED, "has 5 partitions, but 2 were frozen");
  }

  // ---- servers and folder

  @ParameterizedTest
  @CsvSource({
    "kinesis.endpoint,http://127.0.0.1:1,KINESIS_UNREACHABLE",
    "kafka.bootstrap.servers,127.0.0.1:1,KAFKA_UNREACHABLE"
  })
  void serverThatIsNotThereIsNamedWithinHalfAMinute(String option, String address, Reason reason) {
    rig.set(option, address);
    long began = System.nanoTime();
    assertRefusedUnpinned(reason, address, option);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void folderThatCannotBeWrittenIsRefused() throws IOException {
    Path file = Files.createTempFile("no", "folder");
    rig.set("cutover.dir", file.resolve("cutover").toUri().toString());
    assertRefusedUnpinned(Reason.FOLDER_UNUSABLE, file.toString(), "cutover.dir");
    Files.delete(file);
  }

  @Test
  void pinThatWasEditedIsRefusedWhereverItIsUsed() throws IOException {
    rig.pin();
    String text = Files.readString(rig.pinFile());
    Files.writeString(rig.pinFile(), text.replace("\"partitions\" : 2", "\"partitions\" : 3"));
    for (String command : new String[] {"pin", "backfill"}) {
      rig.assertRefused(command, Reason.PIN_EDITED, rig.pinFile().toString());
    }
    Files.writeString(rig.pinFile(), text.replace("\"version\" : 1", "\"version\" : 2"));
    for (String command : new String[] {"pin", "backfill"}) {
      rig.assertRefused(command, Reason.PIN_NEWER, "version 2");
    }
    Files.writeString(rig.pinFile(), text.substring(0, 100));
    for (String command : new String[] {"pin", "backfill"}) {
      rig.assertRefused(command, Reason.PIN_UNREADABLE, "cut short");
    }
  }
}
