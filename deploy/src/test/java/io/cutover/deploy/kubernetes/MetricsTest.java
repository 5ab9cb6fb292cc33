package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.deploy.kubernetes.Steps.Applied;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Prometheus operator finds the pods that have metrics, and may ask them. */
class MetricsTest {

  static Stream<Applied> deployments() {
    return Steps.all().filter(Applied::isFlink);
  }

  static Stream<ObjectNode> monitors() {
    return Stream.of(Steps.BASE, Steps.EXAMPLE)
        .flatMap(root -> Steps.of(root.resolve("monitoring")))
        .map(Applied::resource);
  }

  /** Its definition is not at hand: an API server would drop a field that is misspelt. */
  @ParameterizedTest
  @MethodSource("monitors")
  void isAPodMonitorAndNothingElse(ObjectNode monitor) {
    assertThat(monitor.path("apiVersion").asText()).isEqualTo("monitoring.coreos.com/v1");
    assertThat(monitor.path("kind").asText()).isEqualTo("PodMonitor");
    assertThat(monitor.path("spec").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("selector", "podMetricsEndpoints");
    assertThat(monitor.at("/spec/podMetricsEndpoints")).hasSize(1);
    assertThat(monitor.at("/spec/podMetricsEndpoints/0").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("port", "path");
    assertThat(monitor.at("/spec/selector").fieldNames())
        .toIterable()
        .containsExactly("matchLabels");
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void findsEveryPodOfADeploymentByItsLabelAndItsPort(Applied one) {
    JsonNode monitor = monitor();
    monitor
        .at("/spec/selector/matchLabels")
        .properties()
        .forEach(
            label ->
                assertThat(one.pods().at("/metadata/labels").path(label.getKey()))
                    .isEqualTo(label.getValue()));
    assertThat(one.pods().at("/spec/containers/0/ports").findValuesAsText("name"))
        .contains(monitor.at("/spec/podMetricsEndpoints/0/port").asText());
    assertThat(one.resource().at("/metadata/namespace"))
        .isEqualTo(monitor.at("/metadata/namespace"));
  }

  @Test
  void theNetworkPolicyLetsItIn() {
    JsonNode policy =
        Steps.of(Steps.EXAMPLE.resolve("setup"))
            .filter(one -> one.kind().equals("NetworkPolicy"))
            .findFirst()
            .orElseThrow()
            .resource();
    assertThat(policy.at("/spec/ingress").findValuesAsText("port"))
        .contains(monitor().at("/spec/podMetricsEndpoints/0/port").asText());
  }

  private static JsonNode monitor() {
    return monitors().findFirst().orElseThrow();
  }
}
