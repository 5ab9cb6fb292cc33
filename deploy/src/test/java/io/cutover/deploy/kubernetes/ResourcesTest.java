package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.deploy.kubernetes.Steps.Applied;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every resource is what its kind says, and no field of it would be dropped. */
class ResourcesTest {

  static Stream<Applied> builtIn() {
    return Steps.all().filter(one -> StrictTypes.isBuiltIn(one.resource()));
  }

  static Stream<Applied> custom() {
    return Steps.all()
        .filter(one -> !StrictTypes.isBuiltIn(one.resource()))
        // MetricsTest holds each field of it.
        .filter(one -> !one.kind().equals("PodMonitor"));
  }

  static Stream<Applied> thatStartPods() {
    return Steps.thatStartPods();
  }

  @ParameterizedTest
  @MethodSource("builtIn")
  void aResourceOfKubernetesHasNoFieldThatItsTypeHasNot(Applied one) {
    assertThatCode(() -> StrictTypes.builtIn(one.resource())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("custom")
  void aCustomResourceIsAsItsDefinitionSays(Applied one) {
    ResourceDefinitions.assumeThere();
    assertThat(ResourceDefinitions.faults(one.resource())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void aPodTemplateIsOne(Applied one) {
    assertThatCode(() -> StrictTypes.read(one.pods(), PodTemplateSpec.class))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/spec",
        "/spec/template/spec",
        "/spec/template/spec/containers/0",
        "/metadata"
      })
  void aMisspeltFieldOfAJobIsNoticed(String where) {
    ObjectNode job = Steps.example("pin");
    ((ObjectNode) job.at(where)).put("backofLimit", 0);
    assertThatThrownBy(() -> StrictTypes.builtIn(job)).hasMessageContaining("backofLimit");
  }

  @Test
  void aNumberAmongTheArgumentsOfAJobIsNoticed() {
    ObjectNode job = Steps.example("gate");
    ((ArrayNode) job.at("/spec/template/spec/containers/0/args")).add(4);
    assertThatThrownBy(() -> StrictTypes.builtIn(job)).hasMessageContaining("args");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/metadata",
        "/spec",
        "/spec/job",
        "/spec/taskManager/resource",
        "/spec/podTemplate",
        "/spec/podTemplate/spec",
        "/spec/podTemplate/spec/containers/0/securityContext"
      })
  void aMisspeltFieldOfAFlinkDeploymentIsNoticed(String where) {
    ResourceDefinitions.assumeThere();
    ObjectNode deployment = Steps.example("backfill");
    ((ObjectNode) deployment.at(where)).put("upgradMode", "savepoint");
    assertThat(ResourceDefinitions.faults(deployment))
        .singleElement()
        .asString()
        .contains("upgradMode");
  }

  @Test
  void aValueThatTheOperatorDoesNotKnowIsNoticed() {
    ResourceDefinitions.assumeThere();
    ObjectNode deployment = Steps.example("backfill");
    ((ObjectNode) deployment.path("spec")).put("flinkVersion", "v9_9");
    ((ObjectNode) deployment.at("/spec/job")).put("parallelism", "16");
    List<String> faults = ResourceDefinitions.faults(deployment);
    assertThat(faults).hasSize(2).anyMatch(one -> one.contains("flinkVersion"));
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void noConfigurationOfFlinkIsAnythingButText(Applied one) {
    JsonNode configuration = one.resource().at("/spec/flinkConfiguration");
    assertThat(configuration).allMatch(JsonNode::isTextual);
  }
}
