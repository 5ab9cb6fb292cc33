package io.cutover.deploy.rights;

import static io.cutover.deploy.rights.SecuredCutover.BACKFILL;
import static io.cutover.deploy.rights.SecuredCutover.RECONCILER;
import static io.cutover.deploy.rights.SecuredCutover.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.CommandLineRig;
import io.cutover.CommandLineRig.Said;
import io.cutover.Reason;
import io.cutover.reconcile.ReconcileJob;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
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

  @TempDir private static Path dir;

  private static SecuredCutover secured;
  private static Map<String, Said> cutover;
  private static Set<String> calledByTheCopy;
  private static Set<String> calledByTheReconciliation;

  @TempDir private Path own;

  @BeforeAll
  static void cutOverWithExactlyTheseRights() throws IOException {
    secured = new SecuredCutover(dir);
    CommandLineRig backfill = secured.as(BACKFILL);
    Said pin = backfill.run("pin");
    Said preflight = backfill.run("preflight");
    Said copy = backfill.run("backfill");
    calledByTheCopy = secured.called();
    Said verdict = secured.as(RECONCILER).run(new ReconcileJob(), "reconcile");
    calledByTheReconciliation = secured.called();
    cutover = Map.of("pin", pin, "preflight", preflight, "backfill", copy, "reconcile", verdict);
  }

  @AfterAll
  static void stop() {
    secured.close();
  }

  @BeforeEach
  void grantAllAgain() {
    secured.grantAll();
  }

  static List<Right> backfillRights() {
    return SecuredCutover.backfillRights();
  }

  static List<Right> reconcilerRights() {
    return SecuredCutover.reconcilerRights();
  }

  private static List<Right> without(List<Right> all, Right one) {
    return all.stream().filter(right -> !right.equals(one)).toList();
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
    secured.broker().createTopic(topic);
    secured.grantByCertificate(
        backfillRights().stream().map(right -> right.onTopic(topic)).toList());
    Path client = own.resolve("client.properties");
    CommandLineRig rig = secured.rig(own, secured.broker().byCertificate(), topic, client);

    Files.writeString(client, secured.example("Mutual TLS, PEM"));
    rig.pin();
    assertThat(rig.run("preflight").out()).contains("all 28 checks passed");
    Files.writeString(client, secured.example("Mutual TLS, PKCS12"));
    Said copy = rig.run("backfill");
    assertThat(copy.code()).as(copy.out()).isZero();
  }

  // ---- not one too many

  @ParameterizedTest
  @MethodSource("backfillRights")
  void preflightNamesTheRightThatLacks(Right right) throws IOException {
    secured.grant(without(backfillRights(), right), reconcilerRights());

    Said said = secured.as(BACKFILL).run("preflight", "--json");
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
    secured.grant(List.of(), reconcilerRights());

    secured
        .as(BACKFILL, own)
        .assertRefused("pin", Reason.KAFKA_DENIED, "the right Describe on topic orders");
  }

  @Test
  void rightOnTheBrokersSettingsCanBeWaivedAsItsCommentSays() throws IOException {
    secured.grant(
        backfillRights().stream().filter(r -> r.type() != ResourceType.CLUSTER).toList(),
        reconcilerRights());

    Said said =
        secured.as(BACKFILL).run("preflight", "-D", "preflight.waive=broker-transaction-timeout");
    assertThat(said.code()).as(said.out()).isZero();
  }

  @ParameterizedTest
  @MethodSource("reconcilerRights")
  void reconciliationSaysWhichRightLacks(Right right) throws Exception {
    secured.grant(backfillRights(), without(reconcilerRights(), right));

    switch (right.operation()) {
      case READ -> assertInconclusive("READ_FAILED", "the right Read on topic orders");
      case DESCRIBE_CONFIGS -> {
        Said said = secured.as(RECONCILER).run(new ReconcileJob(), "reconcile");
        assertThat(said.code()).as(said.out()).isZero();
        assertThat(finding("RETENTION_UNKNOWN"))
            .contains("the right DescribeConfigs on topic orders");
      }
      case DESCRIBE -> {
        try (var open = open("cutover-held-open")) {
          assertInconclusive("OPEN_TRANSACTION", "the principal lacks the right Describe");
          secured.grantAll();
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
    secured.grant(backfillRights(), describing);

    assertInconclusive("READ_FAILED", "the right Read on topic orders");
  }

  private void assertInconclusive(String code, String message) throws IOException {
    CommandLineRig rig = secured.as(RECONCILER);
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
    plain.setProperty("bootstrap.servers", secured.broker().plain());
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
    properties.load(new StringReader(secured.byScram(RECONCILER)));
    properties.setProperty("bootstrap.servers", secured.broker().byScram());
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
            secured.byScram(BACKFILL).replaceAll("password=\"[^\"]*\"", "password=\"guessed\""));
    secured
        .rig(own, secured.broker().byScram(), TOPIC, client)
        .assertRefused("pin", Reason.KAFKA_DENIED, "credentials", "kafka.client.properties");
  }
}
