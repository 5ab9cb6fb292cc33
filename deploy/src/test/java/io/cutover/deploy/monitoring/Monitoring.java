package io.cutover.deploy.monitoring;

import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What deploy/monitoring asks of Prometheus. */
public final class Monitoring {

  public static final Path FOLDER = Checkout.ROOT.resolve("deploy/monitoring");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern SERIES = Pattern.compile("\\b(flink|cutover)_[A-Za-z_]+");

  private Monitoring() {}

  /** The rules of all groups, as the file has them. */
  static Stream<JsonNode> alerts() {
    return read(YAML, "alerts.yaml")
        .path("groups")
        .valueStream()
        .flatMap(g -> g.path("rules").valueStream());
  }

  static JsonNode dashboard() {
    return read(JSON, "dashboard.json");
  }

  /** What the panels ask, with what Grafana fills in filled in. */
  public static Stream<String> panelExpressions() {
    return dashboard()
        .path("panels")
        .valueStream()
        .flatMap(panel -> panel.path("targets").valueStream())
        .map(target -> target.path("expr").asText())
        .map(expr -> expr.replace("$__rate_interval", "1m").replace("$stream", ".*"));
  }

  /** The names of all series that a rule or a panel reads. */
  public static Set<String> series() {
    return Stream.concat(alerts().map(rule -> rule.path("expr").asText()), panelExpressions())
        .flatMap(expr -> SERIES.matcher(expr).results().map(MatchResult::group))
        .collect(toCollection(TreeSet::new));
  }

  private static JsonNode read(ObjectMapper mapper, String file) {
    try {
      return mapper.readTree(FOLDER.resolve(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
