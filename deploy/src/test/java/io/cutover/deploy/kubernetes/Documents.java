package io.cutover.deploy.kubernetes;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The documents of a YAML file. A key that stands twice is refused. */
public final class Documents {

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private Documents() {}

  public static List<ObjectNode> in(Path file) {
    try {
      return of(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  /** The only document of the file. */
  public static ObjectNode one(Path file) {
    List<ObjectNode> all = in(file);
    if (all.size() != 1) {
      throw new IllegalStateException("%s has %d documents, not one".formatted(file, all.size()));
    }
    return all.get(0);
  }

  public static List<ObjectNode> of(String text) {
    List<ObjectNode> documents = new ArrayList<>();
    try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(text)) {
      while (all.hasNext()) {
        documents.add((ObjectNode) all.next());
      }
      return documents;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
