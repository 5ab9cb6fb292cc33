package io.cutover.deploy.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ExposedPort;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;

/** The Docker engine that Testcontainers finds, if there is one. */
final class Engine {

  /** Why a test that needs one is skipped. */
  static final String ABSENT =
      "No Docker engine answers, so nothing was built or run: start one, or name it by DOCKER_HOST.";

  private static final long PULL_MINUTES = 10;

  private Engine() {}

  static boolean answers() {
    return DockerClientFactory.instance().isDockerAvailable();
  }

  static DockerClient client() {
    return DockerClientFactory.instance().client();
  }

  static boolean has(String image) {
    try {
      client().inspectImageCmd(image).exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  /** Whether the image says that it serves a port. */
  static boolean exposes(String image, int port) {
    ExposedPort[] ports = client().inspectImageCmd(image).exec().getConfig().getExposedPorts();
    return ports != null && Arrays.asList(ports).contains(ExposedPort.tcp(port));
  }

  /**
   * Pulls an image, at once or not at all.
   *
   * @throws IllegalStateException if the registry does not give it, with the registry's reason
   */
  static void pull(String image) {
    DockerImageName name = DockerImageName.parse(image);
    try {
      boolean done =
          client()
              .pullImageCmd(name.getUnversionedPart())
              .withTag(name.getVersionPart())
              .start()
              .awaitCompletion(PULL_MINUTES, TimeUnit.MINUTES);
      if (!done) {
        throw new IllegalStateException(
            "%s was not pulled within %d min.".formatted(image, PULL_MINUTES));
      }
    } catch (DockerException e) {
      throw new IllegalStateException("%s cannot be pulled: %s".formatted(image, said(e)), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while %s was pulled".formatted(image), e);
    }
  }

  private static String said(DockerException e) {
    return e.getMessage().strip();
  }
}
