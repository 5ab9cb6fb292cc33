package io.cutover.deploy.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.config.CutoverConfig;
import io.cutover.config.PinOptions;
import io.cutover.deploy.Checkout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/** The folders that a person applies one after another. */
final class Steps {

  static final Path FOLDER = Checkout.ROOT.resolve("deploy/kubernetes");
  static final Path BASE = FOLDER.resolve("base");
  static final Path EXAMPLE = FOLDER.resolve("overlays/example");

  /** The configuration that the example gives to all of its steps. */
  static final Path CONF = EXAMPLE.resolve("setup/conf");

  static final List<String> NAMES =
      List.of(
          "setup", "monitoring", "pin", "preflight", "backfill", "schedule", "gate", "gate-flink");

  private static final Map<Path, List<ObjectNode>> RENDERED = new ConcurrentHashMap<>();

  private Steps() {}

  /**
   * One resource of a step, as it would be applied.
   *
   * @param from the folder, as a person would name it
   */
  record Applied(String from, ObjectNode resource) {

    String kind() {
      return resource.path("kind").asText();
    }

    String name() {
      return resource.at("/metadata/name").asText();
    }

    /** The template of its pods; a missing node where it starts none. */
    JsonNode pods() {
      return switch (kind()) {
        case "Job" -> resource.at("/spec/template");
        case "CronJob" -> resource.at("/spec/jobTemplate/spec/template");
        default -> resource.at("/spec/podTemplate");
      };
    }

    boolean startsPods() {
      return !pods().isMissingNode();
    }

    boolean isFlink() {
      return kind().equals("FlinkDeployment");
    }

    @Override
    public String toString() {
      return from + ": " + kind() + " " + name();
    }
  }

  /** Of base and example. */
  static Stream<Path> folders() {
    return Stream.of(BASE, EXAMPLE).flatMap(root -> NAMES.stream().map(root::resolve));
  }

  static Stream<Applied> all() {
    return folders().flatMap(Steps::of);
  }

  static Stream<Applied> thatStartPods() {
    return all().filter(Applied::startsPods);
  }

  static Stream<Applied> of(Path folder) {
    String from = FOLDER.relativize(folder).toString();
    return rendered(folder).map(resource -> new Applied(from, resource));
  }

  /** What the example's step starts. */
  static ObjectNode example(String step) {
    return of(EXAMPLE.resolve(step))
        .filter(Applied::startsPods)
        .findFirst()
        .orElseThrow()
        .resource();
  }

  /** The example's configuration with the one value that it leaves to a person. */
  static Configuration cutover(Map<String, String> overrides) {
    Map<String, String> given = new HashMap<>(overrides);
    given.put(PinOptions.BOUNDARY.key(), "2026-11-30T00:00:00Z");
    return CutoverConfig.load(Optional.of(CONF.resolve("cutover.yaml")), given);
  }

  /** Copies, which a test may spoil. */
  private static Stream<ObjectNode> rendered(Path folder) {
    return RENDERED.computeIfAbsent(folder, Kustomization::render).stream()
        .map(ObjectNode::deepCopy);
  }
}
