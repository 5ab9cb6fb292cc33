package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.kubernetes.Steps.Applied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a manifest names is there: made by the first step, or by Strimzi. */
class ReferencesTest {

  private static final List<Applied> SETUP = Steps.of(Steps.EXAMPLE.resolve("setup")).toList();

  private static final List<JsonNode> STRIMZI =
      List.copyOf(Kustomization.render(Checkout.ROOT.resolve("deploy/strimzi/base")));

  static Stream<Applied> thatStartPods() {
    return Steps.thatStartPods();
  }

  private static Set<String> setUp(String kind) {
    return SETUP.stream()
        .filter(one -> one.kind().equals(kind))
        .map(Applied::name)
        .collect(Collectors.toSet());
  }

  private static Stream<String> texts(JsonNode array, String pointer) {
    return array
        .valueStream()
        .map(one -> one.at(pointer))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText);
  }

  private static String serviceAccount(Applied one) {
    return one.isFlink()
        ? one.resource().at("/spec/serviceAccount").asText()
        : one.pods().at("/spec/serviceAccountName").asText();
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void theServiceAccountIsSetUpWithARole(Applied one) {
    assertThat(setUp("ServiceAccount")).contains(serviceAccount(one));
    assertThat(SETUP.stream().filter(made -> made.name().equals(serviceAccount(one))))
        .allMatch(
            made ->
                made.resource()
                    .at("/metadata/annotations")
                    .path("eks.amazonaws.com/role-arn")
                    .asText()
                    .startsWith("arn:aws:iam::"));
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void configMapsAreSetUp(Applied one) {
    assertThat(texts(one.pods().at("/spec/volumes"), "/configMap/name"))
        .isNotEmpty()
        .isSubsetOf(setUp("ConfigMap"));
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void secretsAreThoseThatStrimziMakesForTheSameIdentity(Applied one) {
    String cluster = STRIMZI.get(0).at("/metadata/labels").path("strimzi.io/cluster").asText();
    assertThat(STRIMZI.stream().map(made -> made.at("/metadata/name").asText()))
        .contains(serviceAccount(one));
    assertThat(texts(one.pods().at("/spec/volumes"), "/secret/secretName"))
        .containsExactlyInAnyOrder(serviceAccount(one), cluster + "-cluster-ca-cert");
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void everyVolumeIsMountedAndEveryMountIsAVolume(Applied one) {
    assertThat(texts(one.pods().at("/spec/containers/0/volumeMounts"), "/name"))
        .containsExactlyInAnyOrderElementsOf(
            texts(one.pods().at("/spec/volumes"), "/name").toList());
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void theFilesThatTheClientPropertiesNameAreMounted(Applied one) throws IOException {
    List<String> mounts =
        texts(one.pods().at("/spec/containers/0/volumeMounts"), "/mountPath").toList();
    String properties = Files.readString(Steps.CONF.resolve("kafka-client.properties"));
    Matcher paths = Pattern.compile("/etc/[a-z-]+").matcher(properties);
    assertThat(paths.results().map(found -> found.group())).isNotEmpty().isSubsetOf(mounts);
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void theImageIsOfThisRelease(Applied one) throws IOException {
    String pom = Files.readString(Checkout.ROOT.resolve("pom.xml"));
    Matcher version = Pattern.compile("<version>([0-9.]+)-SNAPSHOT</version>").matcher(pom);
    assertThat(version.find()).isTrue();
    String image =
        one.isFlink()
            ? one.resource().at("/spec/image").asText()
            : one.pods().at("/spec/containers/0/image").asText();
    assertThat(image).endsWith("kinesis-cutover:" + version.group(1));
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void theImageHasTheJarWhereItIsLookedFor(Applied one) throws Exception {
    Path dockerfile = Checkout.ROOT.resolve("deploy/docker/Dockerfile");
    assumeTrue(Files.exists(dockerfile), () -> "no " + dockerfile);
    Invocation invocation = Invocation.of(one);
    assertThat(Files.readString(dockerfile))
        .contains(Checkout.ROOT.relativize(invocation.built()).toString())
        .contains(Path.of(invocation.jar()).getParent() + "/")
        // CutoverDir needs a recoverable writer, which the other plugin has not.
        .contains("plugins/s3-fs-hadoop");
  }

  /** Who may create pods may take any service account of the namespace. */
  @Test
  void whoReconcilesMayStartPodsForTheGateOnFlinkAlone() {
    assertThat(Steps.NAMES)
        .allSatisfy(
            step ->
                assertThat(mayStartPods(step))
                    .isEqualTo(
                        switch (step) {
                          case "setup" -> Set.of("cutover-backfill");
                          case "gate-flink" -> Set.of("cutover-reconciler");
                          default -> Set.of();
                        }));
  }

  private static Set<String> mayStartPods(String step) {
    return Steps.of(Steps.EXAMPLE.resolve(step))
        .filter(one -> one.kind().equals("RoleBinding"))
        .flatMap(binding -> texts(binding.resource().path("subjects"), "/name"))
        .collect(Collectors.toSet());
  }

  @Test
  void everyRoleThatIsBoundIsSetUp() {
    assertThat(Steps.all().filter(one -> one.kind().equals("RoleBinding")))
        .isNotEmpty()
        .extracting(binding -> binding.resource().at("/roleRef/name").asText())
        .isSubsetOf(setUp("Role"));
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void aDeploymentMayStartItsTaskManagersAndAJobAsksForNoRights(Applied one) {
    if (one.isFlink()) {
      String step = Path.of(one.from()).getFileName().toString();
      assertThat(Stream.of("setup", step).flatMap(from -> mayStartPods(from).stream()))
          .contains(serviceAccount(one));
    } else {
      assertThat(one.pods().at("/spec/automountServiceAccountToken").asBoolean(true)).isFalse();
    }
  }

  private static JsonNode resource(String kind) {
    return SETUP.stream()
        .filter(one -> one.kind().equals(kind))
        .findFirst()
        .orElseThrow()
        .resource();
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void theNetworkPolicyIsForEveryPod(Applied one) {
    JsonNode labels = one.pods().at("/metadata/labels");
    resource("NetworkPolicy")
        .at("/spec/podSelector/matchLabels")
        .properties()
        .forEach(
            label ->
                assertThat(labels.path(label.getKey()))
                    .as(label.getKey())
                    .isEqualTo(label.getValue()));
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void aPodHasNoMoreRightsOnItsNodeThanItNeeds(Applied one) {
    JsonNode pod = one.pods().at("/spec/securityContext");
    JsonNode container = one.pods().at("/spec/containers/0/securityContext");
    assertThat(pod.path("runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    assertThat(container.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(container.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.at("/capabilities/drop").toString()).isEqualTo("[\"ALL\"]");
  }
}
