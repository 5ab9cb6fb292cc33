package io.cutover.deploy.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import java.time.Duration;
import java.util.function.Consumer;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame.OutputType;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.utility.DockerImageName;

/** What a container's one command came to. */
record Ended(long exitCode, String out, String err) {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  static Ended run(String image, String... command) {
    return run(image, container -> {}, command);
  }

  /** Runs the command in a new container, and removes that. */
  static Ended run(String image, Consumer<GenericContainer<?>> setting, String... command) {
    try (GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))) {
      container
          .withCommand(command)
          .withStartupCheckStrategy(new UntilItEnds().withTimeout(PATIENCE));
      setting.accept(container);
      container.start();
      return new Ended(
          container.getCurrentContainerInfo().getState().getExitCodeLong(),
          container.getLogs(OutputType.STDOUT),
          container.getLogs(OutputType.STDERR));
    }
  }

  /** Both streams, for the message of a failed test. */
  String all() {
    return "exit code " + exitCode + "\n" + out + err;
  }

  /** Whatever the exit code is: that is for the test to judge. */
  private static final class UntilItEnds extends StartupCheckStrategy {

    @Override
    public StartupStatus checkStartupState(DockerClient client, String containerId) {
      InspectContainerResponse.ContainerState state = getCurrentState(client, containerId);
      return "exited".equals(state.getStatus())
          ? StartupStatus.SUCCESSFUL
          : StartupStatus.NOT_YET_KNOWN;
    }
  }
}
