package io.cutover.deploy.rights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An IAM policy of deploy/aws. */
record Policy(JsonNode document) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path FOLDER = Checkout.ROOT.resolve("deploy/aws");

  /** The file of this name. */
  static Policy of(String file) {
    try {
      return new Policy(JSON.readTree(FOLDER.resolve(file).toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<JsonNode> statements() {
    List<JsonNode> statements = new ArrayList<>();
    document.path("Statement").forEach(statements::add);
    return statements;
  }

  /** A key's values, whether it has one or a list. */
  static List<String> values(JsonNode statement, String key) {
    List<String> values = new ArrayList<>();
    JsonNode value = statement.path(key);
    if (value.isTextual()) {
      values.add(value.asText());
    }
    value.forEach(one -> values.add(one.asText()));
    return values;
  }

  Set<String> actions() {
    return statements().stream()
        .flatMap(statement -> values(statement, "Action").stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What of a service it allows, without the service's prefix. */
  Set<String> actionsOf(String service) {
    return actions().stream()
        .filter(action -> action.startsWith(service + ":"))
        .map(action -> action.substring(service.length() + 1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
