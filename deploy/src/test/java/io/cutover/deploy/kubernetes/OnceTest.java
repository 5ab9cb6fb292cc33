package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** T is pinned once, the copy is begun once, and a verdict is of one run. */
class OnceTest {

  static Stream<Path> folders() {
    return Steps.folders();
  }

  @ParameterizedTest
  @MethodSource("folders")
  void aFolderStartsOneThingAtMost(Path folder) {
    long starts = Steps.of(folder).filter(Steps.Applied::startsPods).count();
    assertThat(starts).isEqualTo(folder.endsWith("setup") || folder.endsWith("monitoring") ? 0 : 1);
  }

  @Test
  void thereIsNoFolderThatAppliesThemAll() {
    assertThat(Stream.of(Steps.FOLDER, Steps.BASE, Steps.EXAMPLE))
        .noneMatch(folder -> Files.exists(folder.resolve("kustomization.yaml")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pin", "preflight", "gate"})
  void aJobIsTriedOnceAndStays(String step) {
    JsonNode spec = Steps.example(step).path("spec");
    assertThat(spec.path("backoffLimit").asInt(-1)).isZero();
    assertThat(spec.at("/template/spec/restartPolicy").asText()).isEqualTo("Never");
    assertThat(spec.has("ttlSecondsAfterFinished")).isFalse();
  }

  @Test
  void aScheduledRunIsTriedOnceAndBesideNoOther() {
    JsonNode spec = Steps.example("schedule").path("spec");
    assertThat(spec.path("concurrencyPolicy").asText()).isEqualTo("Forbid");
    assertThat(spec.at("/jobTemplate/spec/backoffLimit").asInt(-1)).isZero();
    assertThat(spec.at("/jobTemplate/spec/template/spec/restartPolicy").asText())
        .isEqualTo("Never");
  }

  @Test
  void noChangeOfTheSpecBeginsASecondCopy() {
    ObjectNode backfill = Steps.example("backfill");
    assertThat(backfill.at("/spec/job/upgradeMode").asText()).isEqualTo("savepoint");
    assertThat(backfill.at("/spec/job/allowNonRestoredState").asBoolean(true)).isFalse();
    assertThat(backfill.at("/spec/job").has("initialSavepointPath")).isFalse();
  }

  @Test
  void neitherDoesTheOperatorByItself() {
    JsonNode flink = Steps.example("backfill").at("/spec/flinkConfiguration");
    assertThat(flink.path("kubernetes.operator.job.restart.failed").asText()).isEqualTo("false");
    assertThat(flink.path("kubernetes.operator.deployment.rollback.enabled").asText())
        .isEqualTo("false");
    assertThat(flink.path("kubernetes.operator.job.savepoint-on-deletion").asText())
        .isEqualTo("true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"backfill", "gate-flink"})
  void whatMainRefusesIsNotTriedAgain(String step) {
    JsonNode flink = Steps.example(step).at("/spec/flinkConfiguration");
    assertThat(flink.path("execution.submit-failed-job-on-application-error").asText())
        .isEqualTo("true");
    // Without it, a JobManager that is restarted knows nothing of the job that it had.
    assertThat(flink.path("high-availability.type").asText()).isEqualTo("kubernetes");
  }

  @Test
  void aGateOnFlinkIsOneRun() {
    JsonNode flink = Steps.example("gate-flink").at("/spec/flinkConfiguration");
    assertThat(flink.path("restart-strategy.type").asText()).isEqualTo("disable");
    assertThat(flink.path("kubernetes.operator.job.restart.failed").asText()).isEqualTo("false");
    assertThat(flink.path("kubernetes.operator.jm-deployment-recovery.enabled").asText())
        .isEqualTo("false");
  }
}
