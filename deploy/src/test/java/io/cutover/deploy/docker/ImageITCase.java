package io.cutover.deploy.docker;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.images.builder.Transferable;

/** deploy/docker, built, and looked at from inside: on Flink's image or on its stand-in. */
@NeedsImages(NeededImage.FLINK)
class ImageITCase {

  private static final String PLUGIN = "/opt/flink/plugins/s3-fs-hadoop/";

  private static CutoverImage image;

  @BeforeAll
  static void build() {
    image = CutoverImage.build();
  }

  @Test
  void runsAsFlinkAndNeverAsRoot() {
    assertThat(image.inspect().getConfig().getUser()).isEqualTo("flink");
    assertThat(Ended.run(image.name(), "id", "-u").out()).isEqualToIgnoringNewLines("9999");
  }

  @Test
  void labelsSayWhatItIsAndOnWhatItWasBuilt() {
    String title = "org.opencontainers.image.";
    assertThat(image.inspect().getConfig().getLabels())
        .containsEntry(title + "title", "Kinesis Cutover")
        .containsEntry(title + "version", "0.1.0")
        .containsEntry(title + "revision", "unknown")
        .containsEntry(title + "licenses", "Apache-2.0")
        .containsEntry(title + "base.name", image.base());
  }

  @Test
  void theBaseIsFlinksOwnOrTheOneAskedForOrSaysThatItIsAStandIn() {
    assertThat(image.base())
        .containsAnyOf(
            NeededImage.FLINK.stock(), System.getProperty("cutover.test.flink.base", "stand-in"));
  }

  @Test
  void bothJarsAreTheBuiltOnesAndReadableForFlink() throws IOException {
    Ended sums = Ended.run(image.name(), "sha256sum", CutoverImage.JOB, CutoverImage.RECONCILE_JOB);
    assertThat(sums.out().lines())
        .as(sums.all())
        .containsExactly(
            sha256(Checkout.jobJar()) + "  " + CutoverImage.JOB,
            sha256(Checkout.reconcileJobJar()) + "  " + CutoverImage.RECONCILE_JOB);
  }

  private static String sha256(Path file) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Test
  void theS3PluginIsALinkToTheBasesOwnJar() {
    Ended target = Ended.run(image.name(), "sh", "-c", "readlink -e " + PLUGIN + "*");
    assertThat(target.out().strip())
        .as(target.all())
        .matches("/opt/flink/opt/flink-s3-fs-hadoop-[0-9.]+\\.jar");
  }

  @Test
  void cutoverDirOnS3IsReadThroughThePlugin() {
    String nowhere =
        """
        s3.endpoint: http://127.0.0.1:1
        s3.path.style.access: true
        s3.access-key: none
        s3.secret-key: none
        s3.attempts.maximum: 1
        s3.retry.limit: 0
        """;
    Ended refused =
        Ended.run(
            image.name(),
            container ->
                container.withCopyToContainer(
                    Transferable.of(nowhere), "/opt/flink/conf/config.yaml"),
            job(
                "preflight",
                "-D",
                "cutover.dir=s3://bucket/orders",
                "-D",
                "kinesis.stream=orders",
                "-D",
                "kafka.topic=orders",
                "-D",
                "kafka.bootstrap.servers=127.0.0.1:1"));

    assertThat(refused.exitCode()).as(refused.all()).isEqualTo(3);
    assertThat(refused.err())
        .contains("[FOLDER_UNUSABLE]", "127.0.0.1:1")
        .doesNotContain("Could not find a file system implementation");
  }

  @ParameterizedTest
  @CsvSource({CutoverImage.JOB + ",backfill", CutoverImage.RECONCILE_JOB + ",reconcile"})
  void bothJobsTellTheirVersionAndTheirCommands(String jar, String command) {
    Ended version = Ended.run(image.name(), "flink", "run", "-t", "local", jar, "--version");
    assertThat(version.exitCode()).as(version.all()).isZero();
    assertThat(version.out()).startsWith("Kinesis Cutover 0.1.0").hasLineCount(1);

    Ended help = Ended.run(image.name(), "flink", "run", "-t", "local", jar, "--help");
    assertThat(help.exitCode()).as(help.all()).isZero();
    assertThat(help.out()).contains("Usage:", command);
  }

  @Test
  void theLogGoesToStandardErrorAndDoesNotTellTheArguments() {
    Ended refused = Ended.run(image.name(), job("pin", "-D", "kinesis.stream=told-to-nobody"));

    assertThat(refused.exitCode()).as(refused.all()).isEqualTo(64);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err())
        .contains("INFO  org.apache.flink.", "[OPTION_MISSING]")
        .doesNotContain("told-to-nobody");
  }

  @Test
  void theJsonVariantOfTheLogIsOneObjectALine() throws IOException {
    Ended refused =
        Ended.run(
            image.name(),
            container ->
                container.withCopyToContainer(
                    Transferable.of(jsonVariant()), "/opt/flink/conf/log4j-console.properties"),
            job("pin"));

    List<JsonNode> objects = new ArrayList<>();
    for (String line : refused.err().lines().filter(l -> !l.startsWith("pin: ")).toList()) {
      objects.add(new ObjectMapper().readTree(line));
    }
    assertThat(objects)
        .as(refused.all())
        .isNotEmpty()
        .allSatisfy(
            line -> {
              assertThat(line.path("@timestamp").asText()).isNotEmpty();
              assertThat(line.path("log.level").asText()).isIn("INFO", "WARN");
              assertThat(line.path("message").asText()).isNotEmpty();
            });
  }

  /** As the comments of the file say: two lines in the place of two. */
  private static String jsonVariant() {
    try {
      return Files.readString(Checkout.ROOT.resolve("conf/log4j2.properties"))
          .replaceAll("(?m)^appender\\.console\\.layout\\..*\n", "")
          .replaceAll("(?m)^#(appender\\.console\\.layout\\.)", "$1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anotherJarIsOneNewLayerOnTopOfTheSameOnes(@TempDir(cleanup = CleanupMode.ALWAYS) Path dir)
      throws IOException {
    copyContext(dir);
    Files.write(dir.resolve("job/target/cutover-job.jar"), new byte[1], APPEND);

    CutoverImage other = CutoverImage.build(dir, "cutover/another-jar", image.base());
    try {
      List<String> layers = image.layers();
      int top = layers.size() - 1;
      assertThat(other.layers())
          .hasSameSizeAs(layers)
          .startsWith(layers.subList(0, top).toArray(String[]::new));
      assertThat(other.layers().get(top)).isNotEqualTo(layers.get(top));
    } finally {
      other.remove();
    }
  }

  private static void copyContext(Path dir) throws IOException {
    for (String file :
        List.of(
            CutoverImage.DOCKERFILE,
            ".dockerignore",
            "conf/log4j2.properties",
            "job/target/cutover-job.jar",
            "reconcile-job/target/cutover-reconcile-job.jar")) {
      Files.createDirectories(dir.resolve(file).getParent());
      Files.copy(Checkout.ROOT.resolve(file), dir.resolve(file), COPY_ATTRIBUTES);
    }
  }

  @Test
  void aBaseWithoutTheS3PluginIsRefusedAndTold() {
    String bare =
        new ImageFromDockerfile("cutover/no-s3-plugin", false)
            .withFileFromString(
                "Dockerfile",
                "FROM %s\nRUN rm /opt/flink/opt/flink-s3-fs-hadoop-*.jar\n".formatted(image.base()))
            .get();
    try {
      assertThatThrownBy(() -> CutoverImage.build(Checkout.ROOT, "cutover/refused", bare))
          .hasMessageContaining(
              "expected one opt/flink-s3-fs-hadoop-*.jar in /opt/flink, found ''");
    } finally {
      Engine.client().removeImageCmd(bare).exec();
    }
  }

  private static String[] job(String... args) {
    return Stream.concat(
            Stream.of("flink", "run", "-t", "local", CutoverImage.JOB), Stream.of(args))
        .toArray(String[]::new);
  }
}
