package io.cutover.deploy.docker;

import com.github.dockerjava.api.command.BuildImageResultCallback;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.model.BuildResponseItem;
import io.cutover.deploy.Checkout;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The image of both jobs, built by its Dockerfile.
 *
 * @param base on which it is built
 */
record CutoverImage(String name, String base) {

  static final String NAME = "kinesis-cutover:0.1.0";
  static final String JOB = "/opt/flink/usrlib/cutover-job.jar";
  static final String RECONCILE_JOB = "/opt/flink/usrlib/cutover-reconcile-job.jar";

  /** Where the Dockerfile lies, from the root of its context. */
  static final String DOCKERFILE = "deploy/docker/Dockerfile";

  /** The checkout's own, on the base that the tests are told to take. */
  static CutoverImage build() {
    return build(Checkout.ROOT, NAME, NeededImage.FLINK.atHand());
  }

  /**
   * @param context in which the paths of the Dockerfile are
   * @throws IllegalStateException if it cannot be built, with what the engine printed
   */
  static CutoverImage build(Path context, String name, String base) {
    StringBuilder printed = new StringBuilder();
    BuildImageResultCallback listener =
        new BuildImageResultCallback() {
          @Override
          public void onNext(BuildResponseItem item) {
            if (item.getStream() != null) {
              printed.append(item.getStream());
            }
            super.onNext(item);
          }
        };
    try {
      Engine.client()
          .buildImageCmd()
          .withBaseDirectory(context.toFile())
          .withDockerfile(context.resolve(DOCKERFILE).toFile())
          .withBuildArg("BASE", base)
          .withTags(Set.of(name))
          .withForcerm(true)
          .exec(listener)
          .awaitImageId();
    } catch (DockerClientException e) {
      throw new IllegalStateException(name + " was not built; the engine printed:\n" + printed, e);
    }
    return new CutoverImage(name, base);
  }

  InspectImageResponse inspect() {
    return Engine.client().inspectImageCmd(name).exec();
  }

  /** Digests, from the bottom up. */
  List<String> layers() {
    return inspect().getRootFS().getLayers();
  }

  void remove() {
    Engine.client().removeImageCmd(name).exec();
  }
}
