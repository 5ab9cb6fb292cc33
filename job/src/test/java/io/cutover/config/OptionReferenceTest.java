package io.cutover.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** conf/README.md is what the options would make it today. */
class OptionReferenceTest {

  private static final Path CONF = Path.of("..", "conf");
  private static final Path FILE = CONF.resolve("README.md");

  private static String generated() throws IOException {
    return OptionReference.markdown(
        new YAMLMapper().readTree(CONF.resolve("cutover.yaml").toFile()));
  }

  @Test
  void referenceIsWhatTheOptionsMakeIt() throws IOException {
    if (Boolean.getBoolean("cutover.regenerate")) {
      Files.writeString(FILE, generated());
    }
    assertThat(Files.exists(FILE) ? Files.readString(FILE) : "")
        .as(
            "conf/README.md is not up to date; write it anew with: mvn -pl deploy/local,job test"
                + " -Dtest=OptionReferenceTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dcutover.regenerate=true")
        .isEqualTo(generated());
  }

  @Test
  void everyOptionHasARowAndEveryFileOfTheFolderALink() throws IOException {
    String reference = Files.readString(FILE);
    assertThat(CutoverConfig.options().keySet())
        .allSatisfy(key -> assertThat(reference).containsOnlyOnce("| `" + key + "` |"));
    try (Stream<Path> files = Files.list(CONF)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .allMatch(name -> name.equals("README.md") || reference.contains("(" + name + ")"));
    }
  }
}
