package io.cutover.deploy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rules and dashboard by themselves; {@code ScrapeITCase} holds them against what jobs tell. */
class MonitoringTest {

  @Test
  void everyAlertHasItsRowInTheRunbook() throws IOException {
    String runbook = Files.readString(Checkout.ROOT.resolve("deploy/RUNBOOK.md"));
    List<String> rows = runbook.lines().filter(line -> line.startsWith("| `Cutover")).toList();
    assertThat(rows).extracting(row -> row.split("`")[1]).containsExactlyElementsOf(names());
  }

  @Test
  void everyAlertSaysWhatIsTheMatterAndHowBad() {
    assertThat(Monitoring.alerts())
        .allSatisfy(
            rule -> {
              assertThat(rule.at("/annotations/summary").asText()).hasSizeGreaterThan(20);
              assertThat(rule.at("/annotations/runbook").asText()).startsWith("deploy/RUNBOOK.md#");
              assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
            });
  }

  /** Promtool's own test language; alerts.test.yaml says when each is given, and when not. */
  @Test
  void alertsAreGivenWhenTheyShouldBeIfPromtoolIsHere() throws Exception {
    Optional<Path> promtool = Programs.find("promtool");
    assumeTrue(promtool.isPresent(), "no promtool on the PATH (Debian package prometheus)");
    Process test =
        new ProcessBuilder(promtool.get().toString(), "test", "rules", "alerts.test.yaml")
            .directory(Monitoring.FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(test.waitFor()).as(said).isZero();
  }

  @Test
  void everyAlertIsTestedForItsComing() throws IOException {
    String tests = Files.readString(Monitoring.FOLDER.resolve("alerts.test.yaml"));
    assertThat(names())
        .allSatisfy(
            name ->
                assertThat(tests)
                    .containsPattern("alertname: " + name + "\\R\\s+exp_alerts:\\R\\s+- exp_"));
  }

  @Test
  void panelsStandBesideEachOther() {
    Set<String> cells = new HashSet<>();
    Set<Integer> ids = new HashSet<>();
    Monitoring.dashboard()
        .path("panels")
        .valueStream()
        .forEach(
            panel -> {
              assertThat(ids.add(panel.path("id").asInt())).isTrue();
              JsonNode at = panel.path("gridPos");
              assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
              for (int x = 0; x < at.path("w").asInt(); x++) {
                for (int y = 0; y < at.path("h").asInt(); y++) {
                  assertThat(
                          cells.add((at.path("x").asInt() + x) + "/" + (at.path("y").asInt() + y)))
                      .as(panel.path("title").asText())
                      .isTrue();
                }
              }
            });
  }

  private static List<String> names() {
    return Monitoring.alerts().map(rule -> rule.path("alert").asText()).toList();
  }
}
