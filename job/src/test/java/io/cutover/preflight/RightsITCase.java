package io.cutover.preflight;

import static io.cutover.preflight.CheckName.BROKER_TRANSACTION_TIMEOUT;
import static io.cutover.preflight.CheckName.COPY_TRANSACTIONS;
import static io.cutover.preflight.CheckName.TOPIC_CLEANUP_POLICY;
import static io.cutover.preflight.CheckName.TOPIC_MIN_ISR;
import static io.cutover.preflight.CheckName.TOPIC_RECORD_SIZE;
import static io.cutover.preflight.CheckName.TOPIC_RETENTION;
import static io.cutover.preflight.CheckName.TOPIC_RETENTION_BYTES;
import static io.cutover.preflight.CheckName.TOPIC_RIGHTS;
import static io.cutover.preflight.CheckName.TOPIC_TIMESTAMP_BEFORE;
import static io.cutover.preflight.CheckName.TOPIC_TIMESTAMP_TYPE;
import static io.cutover.preflight.CheckName.TOPIC_UNCLEAN_ELECTION;
import static io.cutover.preflight.CheckName.TRANSACTIONAL_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kafka.TransactionalIds;
import io.cutover.local.kafka.EmbeddedKafka;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the principal may not do or see, on a broker that holds it to that. */
class RightsITCase {

  /** Who everybody is without authentication. */
  private static final String PRINCIPAL = "User:ANONYMOUS";

  /** The settings that nobody may tell without DescribeConfigs on the topic. */
  private static final CheckName[] SETTINGS = {
    TOPIC_TIMESTAMP_TYPE,
    TOPIC_TIMESTAMP_BEFORE,
    TOPIC_RETENTION,
    TOPIC_RETENTION_BYTES,
    TOPIC_CLEANUP_POLICY,
    TOPIC_RECORD_SIZE,
    TOPIC_MIN_ISR,
    TOPIC_UNCLEAN_ELECTION
  };

  private static EmbeddedKafka broker;

  @TempDir private Path dir;

  private PreflightRig rig;

  @BeforeAll
  static void startBroker() {
    broker =
        EmbeddedKafka.start(
            Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                // A resource is free to all until a rule names it.
                "allow.everyone.if.no.acl.found",
                "true"));
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void pin() {
    rig = new PreflightRig(broker, dir).pin();
  }

  @AfterEach
  void freeAgain() {
    PreflightRig.done(rig.admin().deleteAcls(List.of(AclBindingFilter.ANY)).all());
    rig.close();
  }

  /** From now on nothing else is allowed on the resource. */
  private void allowOnly(
      ResourceType type, String name, PatternType pattern, AclOperation... operations) {
    List<AclBinding> rules = new ArrayList<>();
    for (AclOperation operation : operations) {
      rules.add(
          new AclBinding(
              new ResourcePattern(type, name, pattern),
              new AccessControlEntry(PRINCIPAL, "*", operation, AclPermissionType.ALLOW)));
    }
    rules.add(
        new AclBinding(
            new ResourcePattern(type, name, pattern),
            new AccessControlEntry("User:other", "*", AclOperation.ALL, AclPermissionType.ALLOW)));
    PreflightRig.done(rig.admin().createAcls(rules).all());
  }

  private static Map<CheckName, Check> blocking(PreflightResult result) {
    return result.checks().stream()
        .filter(check -> check.verdict() != Verdict.PASS)
        .collect(Collectors.toMap(Check::name, check -> check));
  }

  private static String remedy(Check check) {
    return check.remedy().orElseThrow().text();
  }

  @Test
  void missingRightOnTheTopicIsNamed() {
    allowOnly(
        ResourceType.TOPIC,
        rig.topic(),
        PatternType.LITERAL,
        AclOperation.READ,
        AclOperation.DESCRIBE_CONFIGS);

    Map<CheckName, Check> blocking = blocking(rig.run());
    assertThat(blocking).containsOnlyKeys(TOPIC_RIGHTS);
    assertThat(blocking.get(TOPIC_RIGHTS).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(blocking.get(TOPIC_RIGHTS).found()).isEqualTo("lacks WRITE");
    assertThat(remedy(blocking.get(TOPIC_RIGHTS)))
        .isEqualTo(
            "kafka-acls.sh --bootstrap-server "
                + broker.bootstrapServers()
                + " --add --allow-principal User:PRINCIPAL --operation Write --topic "
                + rig.topic());
  }

  @Test
  void topicThatMayNotBeDescribedIsOneRow() {
    allowOnly(ResourceType.TOPIC, rig.topic(), PatternType.LITERAL);

    Map<CheckName, Check> blocking = blocking(rig.run());
    assertThat(blocking).containsOnlyKeys(TOPIC_RIGHTS);
    assertThat(blocking.get(TOPIC_RIGHTS).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(remedy(blocking.get(TOPIC_RIGHTS)))
        .contains("--operation Read --operation Write --operation Describe");
  }

  @Test
  void settingsThatMayNotBeSeenAreUnknownAndCanBeWaivedByName() {
    allowOnly(
        ResourceType.TOPIC,
        rig.topic(),
        PatternType.LITERAL,
        AclOperation.READ,
        AclOperation.WRITE);

    PreflightResult result = rig.run();
    Map<CheckName, Check> blocking = blocking(result);
    assertThat(blocking).containsOnlyKeys(SETTINGS);
    assertThat(blocking.values()).allMatch(check -> check.verdict() == Verdict.UNKNOWN);
    assertThat(blocking.values())
        .allMatch(check -> check.found().endsWith("may not be described"))
        .allMatch(check -> remedy(check).contains("--operation DescribeConfigs --topic"));
    assertThat(result.passed()).isFalse();
    assertThat(result.summary()).startsWith("8 of 28 cannot be found out: topic-timestamp-type");

    rig.set(
        "preflight.waive",
        blocking.keySet().stream().map(CheckName::toString).collect(Collectors.joining(",")));
    PreflightResult waived = rig.run();
    assertThat(waived.passed()).isTrue();
    assertThat(waived.waivers()).extracting(Check::name).containsExactly(SETTINGS);
    assertThat(waived.summary()).startsWith("all 28 checks passed, of which waived as unknown: ");
  }

  @Test
  void brokerSettingThatMayNotBeSeenIsUnknown() {
    // The brokers need the first of them, the test the second.
    allowOnly(
        ResourceType.CLUSTER,
        "kafka-cluster",
        PatternType.LITERAL,
        AclOperation.CLUSTER_ACTION,
        AclOperation.ALTER,
        AclOperation.DESCRIBE);

    Map<CheckName, Check> blocking = blocking(rig.run());
    assertThat(blocking).containsOnlyKeys(BROKER_TRANSACTION_TIMEOUT);
    Check check = blocking.get(BROKER_TRANSACTION_TIMEOUT);
    assertThat(check.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(check.found()).contains("may not be described", "one broker took 900000 ms");
    assertThat(remedy(check)).endsWith("--operation DescribeConfigs --cluster");
  }

  @Test
  void transactionalIdsOfTheCopyThatMayNotBeTaken() {
    allowOnly(
        ResourceType.TRANSACTIONAL_ID, "cutover-", PatternType.PREFIXED, AclOperation.DESCRIBE);

    Map<CheckName, Check> blocking = blocking(rig.run());
    assertThat(blocking).containsOnlyKeys(TRANSACTIONAL_ID, COPY_TRANSACTIONS);
    assertThat(blocking.get(TRANSACTIONAL_ID).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(blocking.get(TRANSACTIONAL_ID).wanted()).endsWith(prefix());
    assertThat(remedy(blocking.get(TRANSACTIONAL_ID)))
        .endsWith(
            "--operation Write --operation Describe --transactional-id "
                + prefix()
                + " --resource-pattern-type prefixed");
    assertThat(blocking.get(COPY_TRANSACTIONS).verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  private String prefix() {
    return TransactionalIds.prefix(rig.pinned().id(), rig.topic());
  }
}
