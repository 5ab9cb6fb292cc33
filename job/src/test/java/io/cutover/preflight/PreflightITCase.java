package io.cutover.preflight;

import static io.cutover.preflight.CheckName.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.UsageException;
import io.cutover.kafka.TransactionalIds;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedStream.Mode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each check, made to fail by making it so on a real broker and a Kinesis server. */
class PreflightITCase {

  private static EmbeddedKafka broker;

  @TempDir private Path dir;

  private PreflightRig rig;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void rig() {
    rig = new PreflightRig(broker, dir);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /** The only check that does not pass. */
  private Check alone(Verdict verdict, CheckName name) {
    PreflightResult result = rig.run();
    List<Check> blocking = blocking(result);
    assertThat(blocking).as(result.table()).extracting(Check::name).containsExactly(name);
    assertThat(blocking.get(0).verdict()).isEqualTo(verdict);
    return blocking.get(0);
  }

  private static List<Check> blocking(PreflightResult result) {
    return result.checks().stream().filter(check -> check.verdict() != Verdict.PASS).toList();
  }

  private static String remedy(Check check) {
    return check.remedy().orElseThrow().text();
  }

  @Test
  void everythingIsAsItShouldBe() {
    PreflightResult result = rig.pin().run();

    assertThat(blocking(result)).as(result.table()).isEmpty();
    assertThat(result.checks()).extracting(Check::name).containsExactly(CheckName.values());
    assertThat(result.checks()).allMatch(check -> check.remedy().isEmpty());
    assertThat(result.passed()).isTrue();
    assertThat(result.pinId()).isEqualTo(rig.pinned().id());
    result.orRefuse();
  }

  // The stream.

  @Test
  void streamThatIsNotActive() {
    rig.pin().stream().status("UPDATING");

    Check check = alone(Verdict.FAIL, STREAM_ACTIVE);
    assertThat(check.found()).isEqualTo("UPDATING");
    assertThat(remedy(check)).isEqualTo("aws kinesis wait stream-exists --stream-name orders");
  }

  @Test
  void streamThatWasDeleted() {
    rig.pin().kinesis().deleteStream("orders");

    Check check = alone(Verdict.FAIL, STREAM_ACTIVE);
    assertThat(check.found()).isEqualTo("there is no stream orders");
    assertThat(remedy(check)).contains("aws.region", "its history is gone");
  }

  @Test
  void streamThatWasDeletedAndCreatedAgain() {
    rig.pin().kinesis().deleteStream("orders");
    rig.kinesis().createStream("orders", 2, rig.stream().creationTime().plusSeconds(60));

    Check check = alone(Verdict.FAIL, STREAM_PINNED);
    assertThat(check.found()).startsWith("created at ");
    assertThat(check.wanted())
        .contains(
            "created at " + rig.stream().creationTime().truncatedTo(ChronoUnit.MILLIS).toString());
    assertThat(remedy(check)).contains("another cutover.dir and another topic");
  }

  @Test
  void streamThatIgnoredItsKeysUnlessTheCopyCarriesNone() {
    rig.pin().stream().mode(Mode.ON_DEMAND).distributionStrategy(Optional.of("AUTO"));

    for (String key : List.of("", "partition-key")) {
      if (!key.isEmpty()) {
        rig.set("kafka.key", key);
      }
      Check check = alone(Verdict.FAIL, STREAM_DISTRIBUTION);
      assertThat(check.found()).isEqualTo("AUTO, ON_DEMAND");
      assertThat(remedy(check)).contains("kafka.key: none");
    }
    rig.set("kafka.key", "none");
    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void onDemandStreamThatDoesNotTellItsStrategyUnlessTheKeyIsStated() {
    rig.pin().stream().mode(Mode.ON_DEMAND);

    Check check = alone(Verdict.UNKNOWN, STREAM_DISTRIBUTION);
    assertThat(check.found()).isEqualTo("not told, ON_DEMAND");
    assertThat(remedy(check)).contains("kafka.key: partition-key", "kafka.key: none");
    rig.set("kafka.key", "partition-key");
    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void boundaryThatTheHorizonHasPassed() {
    rig.pin().set("pin.headroom", "0 s").kinesis().clock().advance(Duration.ofHours(24));

    Check check = alone(Verdict.FAIL, STREAM_BOUNDARY);
    assertThat(check.found()).isEqualTo("T is " + rig.pinned().boundary());
    assertThat(check.wanted()).startsWith("after the trim horizon ");
    assertThat(remedy(check)).contains("raise the stream's retention, then pin anew");
  }

  @Test
  void boundaryThatHasNotPassedYet() {
    rig.pin().kinesis().clock().advance(Duration.ofMinutes(-10));

    Check check = alone(Verdict.FAIL, STREAM_BOUNDARY);
    assertThat(check.wanted()).contains(", not after ");
    assertThat(remedy(check)).contains("wait until T has passed");
  }

  @Test
  void oldestRecordThatIsAboutToExpire() {
    rig.pin().kinesis().clock().advance(Duration.ofHours(20));

    Check check = alone(Verdict.FAIL, STREAM_HEADROOM);
    assertThat(check.found()).matches("the oldest record expires in (3 h|2 h 59 min)");
    assertThat(check.wanted()).isEqualTo("at least 12 h (pin.headroom)");
    assertThat(remedy(check))
        .matches(
            "aws kinesis increase-stream-retention-period --stream-arn "
                + rig.stream().arn()
                + " --retention-period-hours (57|58)");
    // What the remedy says mends it.
    rig.stream().retention(Duration.ofHours(58));
    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void recordsThatExpireAreAcceptedWithNoHeadroom() {
    rig.pin()
        .set("pin.headroom", "0 s")
        .kinesis()
        .clock()
        .advance(Duration.ofMinutes(23 * 60 + 30));

    PreflightResult result = rig.run();
    assertThat(result.passed()).as(result.table()).isTrue();
    assertThat(row(result, STREAM_HEADROOM).found())
        .matches("the oldest record expired (30|29) min.* ago");
  }

  @Test
  void pinnedShardThatIsNoLongerListed() {
    String parent = rig.stream().shards().get(0).id();
    rig.stream().split(parent);
    rig.pin().stream().vanish(parent);

    Check check = alone(Verdict.FAIL, STREAM_SHARDS);
    assertThat(check.found()).isEqualTo("no longer listed: " + parent);
    assertThat(check.wanted()).startsWith("the 4 pinned shards");
    assertThat(remedy(check)).contains("expired unread", "pin anew with another cutover.dir");
  }

  @Test
  void shardsThatWereSplitAfterThePinAreNotAmiss() {
    rig.pin().stream().split(rig.stream().shards().get(0).id());

    assertThat(rig.run().passed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"DescribeStreamSummary", "ListShards", "GetShardIterator", "GetRecords"})
  void eachDeniedCallOfKinesisIsNamed(String action) {
    rig.pin().kinesis().faults().on(action).refuse("AccessDeniedException", 400);

    Check check = alone(Verdict.FAIL, KINESIS_RIGHTS);
    assertThat(check.found()).isEqualTo("denied: kinesis:" + action);
    assertThat(remedy(check)).contains("allow kinesis:" + action + " on " + rig.stream().arn());
  }

  @Test
  void keyOfTheStreamThatCannotBeUsedIsNotMistakenForARightOnTheStream() {
    rig.pin().kinesis().faults().on("GetRecords").refuse("KMSDisabledException", 400);

    Check check = alone(Verdict.FAIL, KINESIS_RIGHTS);
    assertThat(check.found()).startsWith("the stream's KMS key cannot be used: ");
    assertThat(remedy(check)).contains("kms:Decrypt", "the key is enabled");
  }

  @Test
  void severalDeniedCallsOfKinesisAreOneRow() {
    rig.pin().kinesis().faults().on("ListShards").refuse("AccessDeniedException", 400);
    rig.kinesis().faults().on("GetRecords").refuse("AccessDeniedException", 400);

    assertThat(alone(Verdict.FAIL, KINESIS_RIGHTS).found())
        .isEqualTo("denied: kinesis:ListShards, kinesis:GetRecords");
  }

  @Test
  void throttledCallIsRepeatedAndNoFailure() {
    rig.pin().kinesis().faults().on("GetRecords").times(2).throttle();
    rig.kinesis().faults().on("DescribeStreamSummary").times(2).limitExceeded();

    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void kinesisThatDoesNotAnswerIsOneRowAndHidesNoneOfKafkas() {
    rig.pin().at(java.net.URI.create("http://127.0.0.1:1")).alterTopic("cleanup.policy", "compact");

    PreflightResult result = rig.run();
    assertThat(blocking(result))
        .extracting(Check::name)
        .containsExactly(KINESIS_REACHABLE, TOPIC_CLEANUP_POLICY);
    Check check = row(result, KINESIS_REACHABLE);
    assertThat(check.verdict()).isEqualTo(Verdict.FAIL);
    assertThat(check.wanted()).contains("http://127.0.0.1:1");
    assertThat(remedy(check)).contains("kinesis.endpoint");
    assertThat(result.checks()).extracting(Check::name).doesNotContain(STREAM_ACTIVE);
  }

  @Test
  void serversThatTakeTheCallAndStaySilentAreTwoRowsWithinHalfAMinute() throws IOException {
    rig.pin();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      rig.set("kafka.bootstrap.servers", address).set("kinesis.endpoint", "http://" + address);

      long began = System.nanoTime();
      PreflightResult result = rig.run();

      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
      assertThat(result.checks())
          .extracting(Check::name)
          .containsExactly(KINESIS_REACHABLE, KAFKA_REACHABLE);
      assertThat(result.checks()).allMatch(check -> check.verdict() == Verdict.FAIL);
      assertThat(result.checks()).allMatch(check -> check.wanted().contains(address));
      assertThat(remedy(row(result, KAFKA_REACHABLE))).contains("kafka.bootstrap.servers");
    }
  }

  // The topic.

  @Test
  void topicThatWasDeleted() {
    rig.pin().deleteTopic();

    Check check = alone(Verdict.FAIL, TOPIC_EXISTS);
    assertThat(check.found()).isEqualTo("does not exist");
    assertThat(check.wanted()).isEqualTo("topic " + rig.topic());
    assertThat(remedy(check)).contains("pin anew with another cutover.dir");
  }

  @Test
  void topicThatWasDeletedAndCreatedAgain() {
    rig.pin().recreateTopic();

    Check check = alone(Verdict.FAIL, TOPIC_PINNED);
    assertThat(check.wanted()).isEqualTo("id " + rig.pinned().topic().id());
    assertThat(check.found()).startsWith("id ").isNotEqualTo(check.wanted());
    assertThat(remedy(check)).contains("pin anew");
  }

  @Test
  void topicThatGotMorePartitions() {
    rig.pin();
    PreflightRig.done(
        rig.admin().createPartitions(Map.of(rig.topic(), NewPartitions.increaseTo(3))).all());

    Check check = alone(Verdict.FAIL, TOPIC_PARTITIONS);
    assertThat(check.found()).isEqualTo("3");
    assertThat(check.wanted()).startsWith("2,");
    assertThat(remedy(check)).contains("pin anew");
  }

  @ParameterizedTest
  @CsvSource({
    "TOPIC_TIMESTAMP_TYPE, message.timestamp.type, LogAppendTime, CreateTime",
    "TOPIC_TIMESTAMP_BEFORE, message.timestamp.before.max.ms, 3600000, 9223372036854775807",
    "TOPIC_RETENTION, retention.ms, 604800000, -1",
    "TOPIC_RETENTION_BYTES, retention.bytes, 1073741824, -1",
    "TOPIC_CLEANUP_POLICY, cleanup.policy, 'compact,delete', delete",
    "TOPIC_RECORD_SIZE, max.message.bytes, 1048588, 1054720",
    "TOPIC_UNCLEAN_ELECTION, unclean.leader.election.enable, true, false"
  })
  void topicSettingThatWouldHarmTheCopy(CheckName name, String setting, String bad, String mended) {
    rig.pin().alterTopic(setting, bad);

    Check check = alone(Verdict.FAIL, name);
    assertThat(check.found()).startsWith(setting + " " + bad);
    assertThat(remedy(check))
        .isEqualTo(
            "kafka-configs.sh --bootstrap-server "
                + broker.bootstrapServers()
                + " --alter --entity-type topics --entity-name "
                + rig.topic()
                + " --add-config "
                + setting
                + "="
                + mended);
    // What the remedy says mends it.
    rig.alterTopic(setting, mended);
    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void retentionFarBeyondHistoryAndCutoverIsAsGoodAsNone() {
    rig.pin().alterTopic("retention.ms", Long.toString(Duration.ofDays(40).toMillis()));

    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void largerRecordsOfTheStreamAskForMoreOfTheTopic() {
    rig.pin().stream().maxRecordSizeKiB(10240);

    Check check = alone(Verdict.FAIL, TOPIC_RECORD_SIZE);
    assertThat(check.wanted()).startsWith("at least 10528768: 10240 KiB of data");
    assertThat(remedy(check)).endsWith("max.message.bytes=10528768");
  }

  @Test
  void singleReplicaPassesAndTheRowSaysWhatItMeans() {
    Check check = row(rig.pin().run(), TOPIC_MIN_ISR);

    assertThat(check.verdict()).isEqualTo(Verdict.PASS);
    assertThat(check.found()).contains("a lost disk loses the copy");
  }

  // The client's properties.

  @ParameterizedTest
  @CsvSource({
    "PRODUCER_REQUEST_SIZE, max.request.size=1048576, max.request.size=1054720",
    "PRODUCER_BUFFER, buffer.memory=1000000, buffer.memory=33554432",
    "TRANSACTION_TIMEOUT, transaction.timeout.ms=60000, transaction.timeout.ms=330000"
  })
  void clientPropertyThatWouldHarmTheCopy(CheckName name, String bad, String mended)
      throws IOException {
    Path file = dir.resolve("client.properties");
    rig.pin().set("kafka.client.properties", file.toString());
    Files.writeString(file, bad);

    Check check = alone(Verdict.FAIL, name);
    assertThat(check.found()).startsWith(bad.replace('=', ' '));
    assertThat(remedy(check)).contains("kafka.client.properties", mended);
    Files.writeString(file, mended);
    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void transactionTimeoutAboveTheBrokers() throws IOException {
    Path file = Files.writeString(dir.resolve("p"), "transaction.timeout.ms=1800000");
    rig.pin().set("kafka.client.properties", file.toString());

    Check check = alone(Verdict.FAIL, BROKER_TRANSACTION_TIMEOUT);
    assertThat(check.found()).isEqualTo("transaction.max.timeout.ms 900000 ms (15 min)");
    assertThat(check.wanted()).contains("1800000 ms (30 min)");
    assertThat(remedy(check)).contains("transaction.max.timeout.ms=1800000");
  }

  // Transactions.

  @Test
  void transactionThatHoldsTheTopicUpIsNamed() {
    rig.pin();
    try (KafkaProducer<byte[], byte[]> live = rig.open("live-writer")) {
      Check check = alone(Verdict.FAIL, TOPIC_TRANSACTIONS);

      assertThat(check.found()).contains("partition 0 from offset 0 on", "(live-writer)");
      assertThat(remedy(check))
          .isEqualTo(
              "kafka-transactions.sh --bootstrap-server "
                  + broker.bootstrapServers()
                  + " abort --topic "
                  + rig.topic()
                  + " --partition 0 --start-offset 0");
      live.commitTransaction();
    }
    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void transactionOfThisVeryCopyIsNamed() {
    rig.pin();
    String id = TransactionalIds.prefix(rig.pinned().id(), rig.topic()) + "-0-1";
    try (KafkaProducer<byte[], byte[]> running = rig.open(id)) {
      PreflightResult result = rig.run();

      assertThat(blocking(result))
          .extracting(Check::name)
          .containsExactly(TOPIC_TRANSACTIONS, COPY_TRANSACTIONS);
      assertThat(row(result, COPY_TRANSACTIONS).found()).isEqualTo(id);
      assertThat(remedy(row(result, COPY_TRANSACTIONS))).contains("flink run -s");
      assertThat(remedy(row(result, TOPIC_TRANSACTIONS)))
          .as("never to be aborted by hand")
          .isEqualTo(remedy(row(result, COPY_TRANSACTIONS)));
      // It was left alone.
      running.commitTransaction();
    }
  }

  // All of it.

  @Test
  void fiveFailuresAreNamedAtOnce() {
    rig.pin().stream().mode(Mode.ON_DEMAND).distributionStrategy(Optional.of("AUTO"));
    rig.kinesis().clock().advance(Duration.ofHours(20));
    rig.alterTopic("retention.ms", "604800000").alterTopic("max.message.bytes", "1048588");
    rig.alterTopic("message.timestamp.type", "LogAppendTime");

    PreflightResult result = rig.run();

    assertThat(blocking(result))
        .extracting(Check::name)
        .containsExactly(
            STREAM_DISTRIBUTION,
            STREAM_HEADROOM,
            TOPIC_TIMESTAMP_TYPE,
            TOPIC_RETENTION,
            TOPIC_RECORD_SIZE);
    assertThatThrownBy(result::orRefuse)
        .isInstanceOf(Refusal.class)
        .hasMessage(
            "5 of 28 checks failed: stream-distribution, stream-headroom, topic-timestamp-type,"
                + " topic-retention, topic-record-size [PREFLIGHT_FAILED]")
        .extracting(refused -> ((Refusal) refused).reason())
        .isEqualTo(Reason.PREFLIGHT_FAILED);
  }

  @Test
  void failureCannotBeWaivedAndUnknownCan() {
    rig.pin().stream().mode(Mode.ON_DEMAND);
    rig.alterTopic("retention.ms", "604800000");
    rig.set("preflight.waive", "stream-distribution, topic-retention");

    PreflightResult result = rig.run();

    assertThat(result.waivers()).extracting(Check::name).containsExactly(STREAM_DISTRIBUTION);
    assertThat(row(result, TOPIC_RETENTION).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(row(result, TOPIC_RETENTION).note())
        .hasValueSatisfying(note -> assertThat(note).contains("cannot be waived"));
    assertThat(result.passed()).isFalse();
    rig.alterTopic("retention.ms", "-1");
    assertThat(rig.run().passed()).isTrue();
  }

  @Test
  void waiverOfACheckThatThereIsNotIsBadUsage() {
    rig.pin().set("preflight.waive", "topic-retension");

    assertThatThrownBy(rig::run)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("preflight.waive names topic-retension")
        .hasMessageContaining("topic-retention, ");
  }

  private static Check row(PreflightResult result, CheckName name) {
    return result.checks().stream()
        .filter(check -> check.name() == name)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row " + name + " in\n" + result.table()));
  }
}
