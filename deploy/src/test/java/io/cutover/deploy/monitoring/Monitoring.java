package io.cutover.deploy.monitoring;

import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What deploy/monitoring asks of Prometheus. */
public final class Monitoring {

  public static final Path FOLDER = Checkout.ROOT.resolve("deploy/monitoring");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern SERIES = Pattern.compile("\\b(flink|cutover)_[A-Za-z_]+");

  private Monitoring() {}

  /** The rules of all groups, as the file has them. */
  static Stream<JsonNode> alerts() {
    return each(read(YAML, "alerts.yaml").path("groups")).flatMap(g -> each(g.path("rules")));
  }

  static JsonNode dashboard() {
    return read(JSON, "dashboard.json");
  }

  static Stream<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  /** What the panels ask, with what Grafana fills in filled in. */
  public static Stream<String> panelExpressions() {
    return each(dashboard().path("panels"))
        .flatMap(panel -> each(panel.path("targets")))
        .map(target -> target.path("expr").asText())
        .map(expr -> expr.replace("$__rate_interval", "1m").replace("$stream", ".*"));
  }

  /** The names of all series that a rule or a panel reads. */
  public static Set<String> series() {
    return Stream.concat(alerts().map(rule -> rule.path("expr").asText()), panelExpressions())
        .flatMap(expr -> SERIES.matcher(expr).results().map(MatchResult::group))
        .collect(toCollection(TreeSet::new));
  }

  /** A program of this machine, if it is there. */
  public static Optional<Path> program(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static JsonNode read(ObjectMapper mapper, String file) {
    try {
      return mapper.readTree(FOLDER.resolve(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
