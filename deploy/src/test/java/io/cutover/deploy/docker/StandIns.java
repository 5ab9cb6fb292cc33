package io.cutover.deploy.docker;

import io.cutover.deploy.Checkout;
import io.cutover.deploy.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * Builds, from what Maven and npm serve, images that stand in for the stock ones where no registry
 * can be reached. Each says so in its name.
 */
final class StandIns {

  /** Names an image with Java 17 and Debian's base tools, on which all of them are built. */
  static final String BASE = "cutover.test.local.base";

  private static final String RESOURCES = "io/cutover/deploy/docker/";
  private static final Path GATHERED = Path.of("target", "stand-in").toAbsolutePath();

  private StandIns() {}

  /** Flink's client and runtime where the official image has them; not its cluster's scripts. */
  static String flink() {
    Path lib = there(Checkout.ROOT.resolve("deploy/local/flink/target/lib"), "build the module");
    Path plugin =
        there(Checkout.ROOT.resolve("deploy/target/plugins/s3-fs-hadoop"), "build the module");
    Path gathered = there(GATHERED, "run Maven with -Dcutover.test.images=local");
    return build(
        "flink",
        new ImageFromDockerfile("cutover/stand-in-flink", false)
            .withFileFromPath("lib", lib)
            .withFileFromPath("json", gathered.resolve("lib"))
            .withFileFromPath("opt", plugin),
        "config.yaml",
        "docker-entrypoint.sh",
        "flink");
  }

  /** A broker that takes its settings as the official image does. */
  static String kafka() {
    Path lib = there(Checkout.ROOT.resolve("deploy/local/target/lib"), "build the module");
    return build(
        "kafka",
        new ImageFromDockerfile("cutover/stand-in-kafka", false).withFileFromPath("lib", lib),
        "log4j2.properties",
        "run");
  }

  /** kinesis-local, which is kinesis-mock as npm serves it. */
  static String kinesisLocal() {
    Path modules = Checkout.ROOT.resolve("deploy/local/node_modules/kinesis-local");
    return build(
        "kinesis",
        new ImageFromDockerfile("cutover/stand-in-kinesis-mock", false)
            .withFileFromPath("kinesis-local", there(modules, "run npm ci in deploy/local"))
            .withFileFromPath("node", node()));
  }

  private static String build(String folder, ImageFromDockerfile image, String... files) {
    String base = System.getProperty(BASE, "cutover/base");
    if (!Engine.has(base)) {
      throw new IllegalStateException(
          "There is no image %s to build stand-ins on: name one with Java 17 by -D%s."
              .formatted(base, BASE));
    }
    image
        .withBuildArg("BASE", base)
        .withFileFromClasspath("Dockerfile", RESOURCES + folder + "/Dockerfile");
    for (String file : files) {
      image.withFileFromClasspath(file, RESOURCES + folder + "/" + file);
    }
    return image.get();
  }

  /** This machine's own; one file, as its makers build it. */
  private static Path node() {
    return Programs.find("node")
        .orElseThrow(() -> new IllegalStateException("There is no node on the PATH: install it."));
  }

  private static Path there(Path path, String otherwise) {
    if (!Files.exists(path)) {
      throw new IllegalStateException("%s is not there: %s.".formatted(path, otherwise));
    }
    return path;
  }
}
