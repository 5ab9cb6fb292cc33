package io.cutover.deploy.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What can be said of deploy/docker without an engine. */
class DockerfileTest {

  private final String dockerfile = read(CutoverImage.DOCKERFILE);

  @Test
  void theBaseIsTheOfficialImageOfTheFlinkThatTheJobsAreBuiltFor() {
    String flink = the("<flink\\.version>(.*?)<", read("pom.xml"));
    assertThat(the("ARG BASE=(\\S+)", dockerfile))
        .isEqualTo("flink:" + flink + "-java17")
        .isEqualTo(NeededImage.FLINK.stock());
  }

  @Test
  void theStockBrokerIsTheVersionThatTheJobsAreBuiltFor() {
    String kafka = the("<kafka\\.version>(.*?)<", read("pom.xml"));
    assertThat(NeededImage.KAFKA.stock()).isEqualTo("apache/kafka:" + kafka);
  }

  @Test
  void theVersionIsTheProjectsReleaseAndSoIsTheTag() {
    String version = the("<version>([0-9.]+)(?:-SNAPSHOT)?<", read("pom.xml"));
    assertThat(the("ARG VERSION=(\\S+)", dockerfile)).isEqualTo(version);
    assertThat(CutoverImage.NAME).isEqualTo("kinesis-cutover:" + version);
    assertThat(read("deploy/docker/README.md")).contains("-t " + CutoverImage.NAME);
  }

  @Test
  void theJarsAreTheLastThingThatIsCopiedAndFlinkRunsThem() {
    List<String> steps =
        all("(?m)^(RUN|COPY|USER) ", dockerfile).stream().map(step -> step.group(1)).toList();
    assertThat(steps).containsExactly("USER", "RUN", "COPY", "COPY", "USER");
    assertThat(dockerfile.substring(dockerfile.lastIndexOf("COPY")))
        .contains("cutover-job.jar", "cutover-reconcile-job.jar", "\nUSER flink\n");
  }

  @Test
  void theContextHoldsWhatIsCopiedAndNothingElse() {
    List<String> copied =
        all(
                "\\s((?:conf|job|reconcile-job)/\\S+)",
                dockerfile.substring(dockerfile.indexOf("COPY")))
            .stream()
            .map(source -> "!" + source.group(1))
            .toList();
    List<String> lines =
        read(".dockerignore").lines().filter(line -> !line.startsWith("#")).toList();
    assertThat(lines).startsWith("*").contains("!" + CutoverImage.DOCKERFILE).containsAll(copied);
    assertThat(lines).hasSize(copied.size() + 2);
  }

  private static String the(String pattern, String text) {
    return all(pattern, text).get(0).group(1);
  }

  private static List<MatchResult> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().toList();
  }

  private static String read(String path) {
    try {
      return Files.readString(Checkout.ROOT.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
