package io.cutover.deploy.strimzi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.kubernetes.Documents;
import io.cutover.deploy.kubernetes.Kustomization;
import io.cutover.deploy.kubernetes.ResourceDefinitions;
import io.cutover.kafka.LargestRecord;
import io.cutover.kafka.TransactionalIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The topic and the two users are what Strimzi takes, and no more than the copy needs. */
class StrimziTest {

  private static final Path FOLDER = Checkout.ROOT.resolve("deploy/strimzi");
  private static final Path TOPIC = FOLDER.resolve("base/topic.yaml");

  static Stream<ObjectNode> resources() {
    return Stream.of("base", "scram")
        .map(FOLDER::resolve)
        .flatMap(folder -> Kustomization.render(folder).stream());
  }

  private static ObjectNode user(String name) {
    return Documents.one(FOLDER.resolve("users/" + name + "-user.yaml"));
  }

  private static JsonNode topic() {
    return Documents.one(TOPIC).path("spec");
  }

  private static Stream<JsonNode> acls(String user) {
    return user(user).at("/spec/authorization/acls").valueStream();
  }

  private static Stream<String> operations(String user) {
    return acls(user).flatMap(acl -> acl.path("operations").valueStream()).map(JsonNode::asText);
  }

  @ParameterizedTest
  @MethodSource("resources")
  void aResourceIsAsItsDefinitionSays(ObjectNode resource) {
    ResourceDefinitions.assumeThere();
    assertThat(ResourceDefinitions.faults(resource)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("resources")
  void strimzisOwnTypesKnowEveryFieldOfIt(ObjectNode resource) throws Exception {
    assertThat(resource.path("apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
    assertThat(StrimziTypes.read(resource).getClass().getSimpleName())
        .isEqualTo(resource.path("kind").asText());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "/spec", "/spec/authorization/acls/0", "/spec/authorization/acls/0/resource"})
  void aMisspeltFieldIsNoticedByBoth(String where) {
    ObjectNode user = user("backfill");
    ((ObjectNode) user.at(where)).put("operatons", "Read");
    assertThatThrownBy(() -> StrimziTypes.read(user)).hasMessageContaining("operatons");
    ResourceDefinitions.assumeThere();
    assertThat(ResourceDefinitions.faults(user)).isNotEmpty();
  }

  @Test
  void anOperationThatKafkaHasNotIsNoticed() {
    ResourceDefinitions.assumeThere();
    ObjectNode user = user("backfill");
    ((ObjectNode) user.at("/spec/authorization/acls/0")).putArray("operations").add("Describ");
    assertThat(ResourceDefinitions.faults(user)).isNotEmpty();
  }

  @Test
  void everySettingOfTheTopicIsOneThatKafkaHas() {
    Set<String> known = kafkasTopicSettings();
    assertThat(topic().path("config").properties())
        .isNotEmpty()
        .allMatch(setting -> known.contains(setting.getKey()));
  }

  private static Set<String> kafkasTopicSettings() {
    return Stream.of(TopicConfig.class.getFields())
        .filter(field -> field.getName().endsWith("_CONFIG"))
        .map(
            field -> {
              try {
                return (String) field.get(null);
              } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
              }
            })
        .collect(Collectors.toSet());
  }

  @Test
  void theTopicKeepsTheCopyAndItsTimestamps() {
    JsonNode config = topic().path("config");
    assertThat(topic().path("replicas").asInt()).isEqualTo(3);
    assertThat(topic().path("partitions").asInt()).isPositive();
    assertThat(config.path("min.insync.replicas").asText()).isEqualTo("2");
    assertThat(config.path("unclean.leader.election.enable").asText()).isEqualTo("false");
    assertThat(config.path("cleanup.policy").asText()).isEqualTo("delete");
    assertThat(config.path("message.timestamp.type").asText()).isEqualTo("CreateTime");
    assertThat(config.path("message.timestamp.before.max.ms").asLong()).isEqualTo(Long.MAX_VALUE);
    assertThat(config.path("retention.ms").asText()).isEqualTo("-1");
    assertThat(config.path("retention.bytes").asText()).isEqualTo("-1");
    assertThat(config.path("segment.ms").asLong()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theTopicTakesTheLargestRecordAndSaysWhatALargerOneNeeds() throws IOException {
    assertThat(topic().at("/config/max.message.bytes").asInt())
        .isGreaterThanOrEqualTo(new LargestRecord(1024).bytes());
    assertThat(Files.readString(TOPIC))
        .contains(Integer.toString(new LargestRecord(1024).bytes()))
        .contains(Integer.toString(new LargestRecord(10240).bytes()));
  }

  @Test
  void theReconcilerCanWriteNothing() {
    assertThat(operations("reconciler"))
        .isNotEmpty()
        .isSubsetOf("Read", "Describe", "DescribeConfigs");
  }

  @Test
  void whoCopiesCanCreateAlterAndDeleteNothing() {
    assertThat(operations("backfill"))
        .isNotEmpty()
        .isSubsetOf("Read", "Write", "Describe", "DescribeConfigs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"backfill", "reconciler"})
  void theTransactionalIdsOfACopyBeginWithWhatIsAllowed(String user) {
    assertThat(acls(user).map(acl -> acl.path("resource")))
        .filteredOn(resource -> resource.path("type").asText().equals("transactionalId"))
        .singleElement()
        .satisfies(
            resource -> {
              assertThat(resource.path("patternType").asText()).isEqualTo("prefix");
              assertThat(TransactionalIds.prefix("0a1b2c3d", "orders"))
                  .startsWith(resource.path("name").asText());
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"backfill", "reconciler"})
  void theTopicOfTheRightsIsTheTopic(String user) {
    assertThat(acls(user).map(acl -> acl.path("resource")))
        .filteredOn(resource -> resource.path("type").asText().equals("topic"))
        .isNotEmpty()
        .allMatch(
            resource -> resource.path("name").equals(Documents.one(TOPIC).at("/metadata/name")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"backfill", "reconciler"})
  void theVariantDiffersInTheAuthenticationAndNothingElse(String name) {
    ObjectNode withCertificate = user(name);
    ObjectNode withPassword =
        Kustomization.render(FOLDER.resolve("scram")).stream()
            .filter(one -> one.at("/metadata/name").equals(withCertificate.at("/metadata/name")))
            .findFirst()
            .orElseThrow();
    assertThat(type(withCertificate)).isEqualTo("tls");
    assertThat(type(withPassword)).isEqualTo("scram-sha-512");
    ((ObjectNode) withPassword.at("/spec/authentication")).put("type", "tls");
    assertThat(withPassword).isEqualTo(withCertificate);
  }

  private static String type(JsonNode user) {
    return user.at("/spec/authentication/type").asText();
  }
}
