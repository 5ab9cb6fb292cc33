package io.cutover.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a cluster gets. */
class JarsTest {

  static Stream<Path> jars() {
    return Stream.of(Checkout.jobJar(), Checkout.reconcileJobJar());
  }

  @ParameterizedTest
  @MethodSource("jars")
  void theManifestNamesAMainClassThatIsInside(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      String main = file.getManifest().getMainAttributes().getValue("Main-Class");
      assertThat(file.getEntry(main.replace('.', '/') + ".class")).isNotNull();
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void whatTheClusterHasItselfIsNotInside(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(file.stream().map(entry -> entry.getName()))
          .noneMatch(name -> name.startsWith("org/slf4j/"))
          .noneMatch(name -> name.startsWith("org/apache/logging/"))
          .noneMatch(name -> name.startsWith("org/apache/flink/runtime/"))
          .noneMatch(name -> name.startsWith("org/apache/flink/streaming/runtime/"));
    }
  }
}
