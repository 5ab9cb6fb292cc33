package io.cutover.deploy.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import io.cutover.deploy.Checkout;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The custom resource definitions of the operators, with every object closed: an API server drops
 * the fields that it does not know, in silence, unless it is asked to be strict.
 */
public final class ResourceDefinitions {

  private static final String OPEN = "x-kubernetes-preserve-unknown-fields";

  private static final Map<String, JsonSchema> LOADED = new HashMap<>();

  private ResourceDefinitions() {}

  /** Skips the test, with the reason, where the definitions are not. */
  public static void assumeThere() {
    assumeTrue(
        Files.isDirectory(folder()),
        () ->
            "no custom resource definitions in %s: name their folder with -Dcutover.crds"
                .formatted(folder()));
  }

  private static Path folder() {
    String given = System.getProperty("cutover.crds");
    return given == null ? Checkout.ROOT.resolve("../shared/crds").normalize() : Path.of(given);
  }

  /** What is wrong with the resource; nothing when it is as its definition says. */
  public static List<String> faults(JsonNode resource) {
    List<String> faults = new ArrayList<>();
    try {
      StrictTypes.read(resource.path("metadata"), ObjectMeta.class);
    } catch (JsonProcessingException e) {
      faults.add("metadata: " + e.getOriginalMessage());
    }
    ObjectNode rest = resource.deepCopy();
    rest.remove(List.of("apiVersion", "kind", "metadata"));
    String kind = resource.path("apiVersion").asText() + " " + resource.path("kind").asText();
    schema(kind).validate(rest).stream().map(ValidationMessage::getMessage).forEach(faults::add);
    return faults;
  }

  private static synchronized JsonSchema schema(String kind) {
    if (LOADED.isEmpty()) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), "*.yml")) {
        files.forEach(file -> load(Documents.one(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    JsonSchema schema = LOADED.get(kind);
    if (schema == null) {
      throw new IllegalStateException(
          "no definition of %s, but of %s".formatted(kind, LOADED.keySet()));
    }
    return schema;
  }

  private static void load(JsonNode definition) {
    JsonNode spec = definition.path("spec");
    JsonSchemaFactory factory = JsonSchemaFactory.getInstance(VersionFlag.V7);
    spec.path("versions")
        .forEach(
            version -> {
              JsonNode schema = version.at("/schema/openAPIV3Schema");
              close(schema);
              LOADED.put(
                  "%s/%s %s"
                      .formatted(
                          spec.path("group").asText(),
                          version.path("name").asText(),
                          spec.at("/names/kind").asText()),
                  factory.getSchema(schema));
            });
  }

  private static void close(JsonNode schema) {
    if (!(schema instanceof ObjectNode object)) {
      return;
    }
    if ((schema.has("properties") || schema.path("type").asText().equals("object"))
        && !schema.has("additionalProperties")
        && !schema.path(OPEN).asBoolean()) {
      object.put("additionalProperties", false);
    }
    schema.path("properties").forEach(ResourceDefinitions::close);
    close(schema.path("items"));
    close(schema.path("additionalProperties"));
  }
}
