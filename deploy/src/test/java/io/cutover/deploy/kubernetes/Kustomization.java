package io.cutover.deploy.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What {@code kubectl apply -k} would send: the few features of kustomize that the folders use, and
 * nothing else. A field that it does not know is refused, so that it never renders less than
 * kustomize would; where kubectl is there, {@link KustomizationTest} holds both equal.
 */
public final class Kustomization {

  private static final String FILE = "kustomization.yaml";

  private static final Set<String> FIELDS =
      Set.of(
          "apiVersion",
          "kind",
          "resources",
          "patches",
          "images",
          "configMapGenerator",
          "generatorOptions");

  private final Path dir;
  private final ObjectNode file;
  private final List<ObjectNode> rendered = new ArrayList<>();

  private Kustomization(Path dir) {
    this.dir = dir;
    this.file = Documents.one(dir.resolve(FILE));
    file.fieldNames()
        .forEachRemaining(field -> require(FIELDS.contains(field), "no field " + field));
    require(file.path("kind").asText().equals("Kustomization"), "kind Kustomization");
  }

  /** Every resource, as it would be applied. */
  public static List<ObjectNode> render(Path dir) {
    Kustomization here = new Kustomization(dir.normalize());
    here.file.path("resources").forEach(one -> here.add(one.asText()));
    here.file.path("configMapGenerator").forEach(here::generate);
    here.file.path("patches").forEach(here::patch);
    here.file.path("images").forEach(image -> here.rendered.forEach(one -> replace(image, one)));
    return here.rendered;
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("%s: expected %s".formatted(dir.resolve(FILE), what));
    }
  }

  private void add(String resource) {
    Path path = dir.resolve(resource).normalize();
    if (Files.isDirectory(path)) {
      rendered.addAll(render(path));
    } else {
      require(path.startsWith(dir), "only files below it, not " + resource);
      rendered.addAll(Documents.in(path));
    }
  }

  /** Under the name as it stands: the steps refer to it from other folders. */
  private void generate(JsonNode map) {
    require(
        file.at("/generatorOptions/disableNameSuffixHash").asBoolean(),
        "disableNameSuffixHash, with a configMapGenerator");
    ObjectNode made = JsonNodeFactory.instance.objectNode();
    made.put("apiVersion", "v1").put("kind", "ConfigMap");
    made.putObject("metadata").setAll((ObjectNode) map.deepCopy());
    ((ObjectNode) made.path("metadata")).remove("files");
    ObjectNode data = made.putObject("data");
    map.path("files")
        .forEach(
            one -> {
              Path path = dir.resolve(one.asText()).normalize();
              require(path.startsWith(dir), "only files below it, not " + one.asText());
              try {
                data.put(path.getFileName().toString(), Files.readString(path));
              } catch (IOException e) {
                throw new UncheckedIOException(path.toString(), e);
              }
            });
    rendered.add(made);
  }

  private void patch(JsonNode patch) {
    require(patch.size() == 1 && patch.has("path"), "patches by path only");
    for (ObjectNode change : Documents.in(dir.resolve(patch.path("path").asText()))) {
      List<ObjectNode> changed =
          rendered.stream().filter(one -> id(one).equals(id(change))).toList();
      require(changed.size() == 1, "one resource for the patch of " + id(change));
      merge(changed.get(0), change);
    }
  }

  /** What a resource is told by. */
  static String id(JsonNode resource) {
    return "%s %s %s/%s"
        .formatted(
            resource.path("apiVersion").asText(),
            resource.path("kind").asText(),
            resource.at("/metadata/namespace").asText(),
            resource.at("/metadata/name").asText());
  }

  private void merge(ObjectNode into, ObjectNode change) {
    change
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              // Kustomize merges some lists by their items' keys, and takes null for a removal.
              require(!value.isArray() && !value.isNull(), "no list and no null in a patch");
              if (value.isObject() && into.path(field.getKey()).isObject()) {
                merge((ObjectNode) into.path(field.getKey()), (ObjectNode) value);
              } else {
                into.set(field.getKey(), value);
              }
            });
  }

  private static void replace(JsonNode image, JsonNode in) {
    if (in.path("containers") instanceof ArrayNode containers) {
      containers.forEach(container -> replaceOne(image, (ObjectNode) container));
    }
    in.forEach(inner -> replace(image, inner));
  }

  private static void replaceOne(JsonNode image, ObjectNode container) {
    String name = container.path("image").asText().replaceFirst(":[^:/]*$", "");
    if (name.equals(image.path("name").asText())) {
      container.put("image", image.path("newName").asText() + ":" + image.path("newTag").asText());
    }
  }
}
