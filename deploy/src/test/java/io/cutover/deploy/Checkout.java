package io.cutover.deploy;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where things are in this checkout. */
public final class Checkout {

  /** The root, from which the README gives its paths. */
  public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private Checkout() {}

  /** The shaded jar of pin, preflight and backfill. */
  public static Path jobJar() {
    return built("job/target/cutover-job.jar");
  }

  /** The shaded jar of the reconciliation. */
  public static Path reconcileJobJar() {
    return built("reconcile-job/target/cutover-reconcile-job.jar");
  }

  private static Path built(String path) {
    Path file = ROOT.resolve(path);
    if (!Files.isRegularFile(file)) {
      throw new IllegalStateException(
          "%s is not there: build it before its tests.".formatted(file));
    }
    return file;
  }
}
