package io.cutover.deploy.rights;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.CommandLineRig;
import io.cutover.CommandLineRig.Said;
import io.cutover.Reason;
import io.cutover.deploy.Checkout;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import io.cutover.reconcile.ReconcileJob;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rights of deploy/strimzi and deploy/aws, held against what the jobs do: enough for a whole
 * cutover, and not one of them too many. Kafka is asked as conf/kafka-client.properties shows it.
 */
class RightsITCase {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOPIC = "orders";
  private static final String BACKFILL = "cutover-backfill";
  private static final String RECONCILER = "cutover-reconciler";
  private static final String SCRAM = "SASL/SCRAM over TLS";

  @TempDir private static Path dir;

  private static SecuredBroker broker;
  private static KinesisEmulator kinesis;
  private static Certificates certificates;
  private static Instant t;

  private static Map<String, Said> cutover;
  private static Set<String> calledByTheCopy;
  private static Set<String> calledByTheReconciliation;

  @TempDir private Path own;

  @BeforeAll
  static void cutOverWithExactlyTheseRights() throws IOException {
    certificates = Certificates.of(BACKFILL, Files.createDirectory(dir.resolve("etc")));
    broker = SecuredBroker.start(certificates);
    broker.createTopic(TOPIC);
    Files.writeString(certificates.user().resolve("password"), "only-of-this-test");
    broker.createUser(BACKFILL, "only-of-this-test");
    broker.createUser(RECONCILER, "only-of-this-test");
    kinesis = KinesisEmulator.start();
    t = kinesis.clock().instant().minus(Duration.ofMinutes(15)).truncatedTo(ChronoUnit.MILLIS);
    write(kinesis.createStream("orders", 2, t.minus(Duration.ofHours(5))));

    grantAll();
    CommandLineRig backfill = rig(BACKFILL);
    Said pin = backfill.run("pin");
    Said preflight = backfill.run("preflight");
    Said copy = backfill.run("backfill");
    calledByTheCopy = called();
    kinesis.clearCalls();
    Said verdict = rig(RECONCILER).run(new ReconcileJob(), "reconcile");
    calledByTheReconciliation = called();
    cutover = Map.of("pin", pin, "preflight", preflight, "backfill", copy, "reconcile", verdict);
  }

  /** A shard, one that was split, and its children. */
  private static void write(EmulatedStream stream) {
    String parent = stream.shards().get(0).id();
    put(stream, parent, t.minus(Duration.ofHours(4)));
    stream.split(parent, t.minus(Duration.ofHours(3)));
    for (EmulatedShard shard : stream.openShards()) {
      put(stream, shard.id(), t.minus(Duration.ofHours(2)));
    }
  }

  private static void put(EmulatedStream stream, String shard, Instant from) {
    for (int i = 0; i < 20; i++) {
      stream.put(
          shard, PutSpec.of("key-" + i, ("event " + i).getBytes(UTF_8), from.plusSeconds(i)));
    }
  }

  private static Set<String> called() {
    return kinesis.calls().stream()
        .map(Call::action)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @AfterAll
  static void stop() {
    kinesis.close();
    broker.close();
  }

  @BeforeEach
  void grantAllAgain() {
    grantAll();
  }

  // ---- who may do what

  static List<Right> backfillRights() {
    return Right.of(Checkout.ROOT.resolve("deploy/strimzi/users/backfill-user.yaml"));
  }

  static List<Right> reconcilerRights() {
    return Right.of(Checkout.ROOT.resolve("deploy/strimzi/users/reconciler-user.yaml"));
  }

  private static Stream<AclBinding> bindings(String user, List<Right> rights) {
    return rights.stream().map(right -> right.of("User:" + user));
  }

  private static void grantAll() {
    grant(backfillRights(), reconcilerRights());
  }

  private static void grant(List<Right> backfill, List<Right> reconciler) {
    broker.allowOnly(
        Stream.concat(bindings(BACKFILL, backfill), bindings(RECONCILER, reconciler)).toList());
  }

  private static List<Right> without(List<Right> all, Right one) {
    return all.stream().filter(right -> !right.equals(one)).toList();
  }

  // ---- how they come to the commands

  private static CommandLineRig rig(String user) throws IOException {
    return rig(dir, broker.byScram(), TOPIC, clientProperties(user));
  }

  private static CommandLineRig rig(Path folder, String servers, String topic, Path properties) {
    CommandLineRig rig =
        new CommandLineRig(folder.resolve("cutover"), kinesis.endpoint(), "orders", servers, topic);
    rig.set("kafka.client.properties", properties.toString());
    rig.set("pin.boundary", t.toString());
    rig.set("backfill.checkpoint-interval", "300 ms");
    rig.set("source.shard.get-records.max-calls-per-second", "10000");
    rig.set("source.shard.get-records.idle-source-interval", "50 ms");
    rig.set("source.shard.discovery.interval", "100 ms");
    return rig;
  }

  /** The example for the backfill, with the name of whoever it is. */
  private static Path clientProperties(String user) throws IOException {
    return Files.writeString(dir.resolve(user + ".properties"), scram().replace(BACKFILL, user));
  }

  private static String scram() {
    return ClientExample.of(SCRAM, certificates.etc());
  }

  private static JsonNode checks(Said preflight) throws IOException {
    return JSON.readTree(preflight.out().substring(preflight.out().indexOf('{'))).path("checks");
  }

  private static JsonNode verdict() throws IOException {
    return JSON.readTree(dir.resolve("cutover/verdict.json").toFile());
  }

  // ---- enough

  @Test
  void cutoverIsMadeAndCleared() {
    cutover.forEach((command, said) -> assertThat(said.code()).as(said.out()).isZero());
    assertThat(cutover.get("preflight").out()).contains("all 28 checks passed");
    assertThat(cutover.get("backfill").out()).contains("Complete: 80 user records");
    assertThat(cutover.get("reconcile").out())
        .contains("CLEARED")
        .doesNotContain("RETENTION_UNKNOWN");
  }

  @Test
  void callsToTheStreamAreTheActionsOfThePolicies() {
    assertThat(Policy.of("backfill-policy.json").actionsOf("kinesis"))
        .containsExactlyInAnyOrderElementsOf(calledByTheCopy);
    assertThat(Policy.of("reconciler-policy.json").actionsOf("kinesis"))
        .containsExactlyInAnyOrderElementsOf(calledByTheReconciliation);
  }

  @Test
  void copyIsMadeWithACertificate() throws IOException {
    String topic = "orders-by-certificate";
    broker.createTopic(topic);
    broker.allowOnly(
        bindings("CN=" + BACKFILL, backfillRights().stream().map(r -> r.onTopic(topic)).toList())
            .toList());
    Path client = own.resolve("client.properties");
    CommandLineRig rig = rig(own, broker.byCertificate(), topic, client);

    Files.writeString(client, ClientExample.of("Mutual TLS, PEM", certificates.etc()));
    rig.pin();
    assertThat(rig.run("preflight").out()).contains("all 28 checks passed");
    Files.writeString(client, ClientExample.of("Mutual TLS, PKCS12", certificates.etc()));
    Said copy = rig.run("backfill");
    assertThat(copy.code()).as(copy.out()).isZero();
  }

  // ---- not one too many

  @ParameterizedTest
  @MethodSource("backfillRights")
  void preflightNamesTheRightThatLacks(Right right) throws IOException {
    grant(without(backfillRights(), right), reconcilerRights());

    Said said = rig(BACKFILL).run("preflight", "--json");
    assertThat(said.code()).as(said.out()).isEqualTo(3);
    List<JsonNode> amiss = new ArrayList<>();
    checks(said).forEach(check -> amiss.add(check));
    amiss.removeIf(check -> check.path("verdict").asText().equals("PASS"));
    String command = "--operation " + right.spelled();
    assertThat(amiss)
        .isNotEmpty()
        .allSatisfy(
            check -> assertThat(check.path("remedy").asText()).contains(command, on(right)));
  }

  private static String on(Right right) {
    return switch (right.type()) {
      case TOPIC -> "--topic " + right.name();
      case TRANSACTIONAL_ID -> "--transactional-id " + right.name();
      case CLUSTER -> "--cluster";
      default -> throw new IllegalArgumentException("a copy needs no right on " + right.type());
    };
  }

  @Test
  void pinNamesTheRightThatLacks() throws IOException {
    grant(List.of(), reconcilerRights());

    rig(own, broker.byScram(), TOPIC, clientProperties(BACKFILL))
        .assertRefused("pin", Reason.KAFKA_DENIED, "the right Describe on topic orders");
  }

  @Test
  void rightOnTheBrokersSettingsCanBeWaivedAsItsCommentSays() throws IOException {
    grant(
        backfillRights().stream().filter(r -> r.type() != ResourceType.CLUSTER).toList(),
        reconcilerRights());

    Said said = rig(BACKFILL).run("preflight", "-D", "preflight.waive=broker-transaction-timeout");
    assertThat(said.code()).as(said.out()).isZero();
  }

  @ParameterizedTest
  @MethodSource("reconcilerRights")
  void reconciliationSaysWhichRightLacks(Right right) throws Exception {
    grant(backfillRights(), without(reconcilerRights(), right));

    switch (right.operation()) {
      case READ -> assertInconclusive("READ_FAILED", "the right Read on topic orders");
      case DESCRIBE_CONFIGS -> {
        Said said = rig(RECONCILER).run(new ReconcileJob(), "reconcile");
        assertThat(said.code()).as(said.out()).isZero();
        assertThat(finding("RETENTION_UNKNOWN"))
            .contains("the right DescribeConfigs on topic orders");
      }
      case DESCRIBE -> {
        try (var open = open("cutover-held-open")) {
          assertInconclusive("OPEN_TRANSACTION", "the principal lacks the right Describe");
          grantAll();
          assertInconclusive("OPEN_TRANSACTION", "cutover-held-open");
          open.abortTransaction();
        }
      }
      default -> throw new IllegalArgumentException("what does it need " + right + " for?");
    }
  }

  @Test
  void reconcilerThatMayDescribeTheTopicButNotReadItIsToldBeforeAnythingIsRead()
      throws IOException {
    List<Right> describing =
        reconcilerRights().stream()
            .map(
                right ->
                    right.operation() == AclOperation.READ
                        ? new Right(
                            AclOperation.DESCRIBE, right.type(), right.name(), right.pattern())
                        : right)
            .toList();
    grant(backfillRights(), describing);

    assertInconclusive("READ_FAILED", "the right Read on topic orders");
  }

  private void assertInconclusive(String code, String message) throws IOException {
    CommandLineRig rig = rig(RECONCILER);
    rig.set("reconcile.open-transaction-timeout", "1 s");
    Said said = rig.run(new ReconcileJob(), "reconcile");
    assertThat(said.code()).as(said.out()).isEqualTo(3);
    assertThat(verdict().path("verdict").asText()).isEqualTo("INCONCLUSIVE");
    assertThat(finding(code)).contains(message);
  }

  /** Of the last verdict, with its samples. */
  private static String finding(String code) throws IOException {
    for (JsonNode finding : verdict().path("findings")) {
      if (finding.path("code").asText().equals(code)) {
        return finding.toString();
      }
    }
    throw new AssertionError("no " + code + " in " + verdict().path("findings"));
  }

  private static KafkaProducer<byte[], byte[]> open(String transactionalId) throws Exception {
    Properties plain = new Properties();
    plain.setProperty("bootstrap.servers", broker.plain());
    plain.setProperty("transactional.id", transactionalId);
    KafkaProducer<byte[], byte[]> producer = producer(plain);
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(record()).get(30, TimeUnit.SECONDS);
    return producer;
  }

  private static KafkaProducer<byte[], byte[]> producer(Properties properties) {
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static ProducerRecord<byte[], byte[]> record() {
    return new ProducerRecord<>(TOPIC, new byte[] {1});
  }

  @Test
  void reconcilerCanWriteNothing() throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(scram().replace(BACKFILL, RECONCILER)));
    properties.setProperty("bootstrap.servers", broker.byScram());
    // An idempotent producer asks for an id first, and is denied that already.
    properties.setProperty("enable.idempotence", "false");
    try (KafkaProducer<byte[], byte[]> producer = producer(properties)) {
      assertThatThrownBy(() -> producer.send(record()).get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TopicAuthorizationException.class);
    }
    properties.setProperty("enable.idempotence", "true");
    properties.setProperty("transactional.id", "cutover-by-the-reconciler");
    try (KafkaProducer<byte[], byte[]> producer = producer(properties)) {
      assertThatThrownBy(producer::initTransactions)
          .isInstanceOf(TransactionalIdAuthorizationException.class);
    }
  }

  @Test
  void wrongPasswordIsNotMistakenForAMissingRight() throws IOException {
    Path client =
        Files.writeString(
            own.resolve("client.properties"),
            scram().replaceAll("password=\"[^\"]*\"", "password=\"guessed\""));
    rig(own, broker.byScram(), TOPIC, client)
        .assertRefused("pin", Reason.KAFKA_DENIED, "credentials", "kafka.client.properties");
  }
}
