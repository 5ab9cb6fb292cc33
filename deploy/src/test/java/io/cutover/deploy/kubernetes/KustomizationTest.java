package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is held in the other tests is what kubectl would apply. */
class KustomizationTest {

  /** With the bases that they stand on. */
  static Stream<Path> overlays() {
    return Stream.concat(
        Steps.NAMES.stream().map(Steps.EXAMPLE::resolve),
        Stream.of(Checkout.ROOT.resolve("deploy/strimzi/scram")));
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void isRenderedAsKubectlRendersIt(Path folder) throws Exception {
    assumeTrue(Programs.find("kubectl").isPresent(), "no kubectl on the PATH to compare with");
    assertThat(byId(Kustomization.render(folder))).isEqualTo(byId(kubectl(folder)));
  }

  private static List<ObjectNode> kubectl(Path folder) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("kubectl", "kustomize", folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return Documents.of(out);
  }

  private static Map<String, ObjectNode> byId(List<ObjectNode> resources) {
    return resources.stream().collect(Collectors.toMap(Kustomization::id, one -> one));
  }

  @Test
  void everyFileIsPartOfAStep() throws IOException {
    for (Path root : List.of(Steps.BASE, Steps.EXAMPLE)) {
      try (Stream<Path> files = Files.list(root)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .containsExactlyInAnyOrderElementsOf(Steps.NAMES);
      }
      try (Stream<Path> files = Files.walk(root)) {
        assertThat(files.filter(Files::isRegularFile)).allMatch(KustomizationTest::isNamed);
      }
    }
  }

  private static boolean isNamed(Path file) {
    String name = file.getFileName().toString();
    Path folder =
        Files.exists(file.resolveSibling("kustomization.yaml"))
            ? file.getParent()
            : file.getParent().getParent();
    return name.equals("kustomization.yaml")
        || Documents.one(folder.resolve("kustomization.yaml"))
            .toString()
            .contains("\"" + folder.relativize(file) + "\"");
  }

  @Test
  void whatItCannotRenderIsRefused(@TempDir Path dir) throws IOException {
    Files.writeString(
        dir.resolve("kustomization.yaml"), "kind: Kustomization\nnamePrefix: other-\n");
    assertThatThrownBy(() -> Kustomization.render(dir)).hasMessageContaining("namePrefix");
  }
}
