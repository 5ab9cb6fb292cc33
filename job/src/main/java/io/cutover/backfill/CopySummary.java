package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.progress.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The end of a copy as a short table, from its report. What the report does not hold is said to be
 * missing, never made up.
 *
 * @param report the file's content
 * @param location the file's address
 */
record CopySummary(JsonNode report, String location) {

  private static final String MISSING = "not in the report";

  /** The lines, the first of which begins with {@code Complete: N user records}. */
  List<String> lines() {
    JsonNode totals = report.path("totals");
    List<String> lines = new ArrayList<>();
    lines.add("Complete: " + totals.path("records").asText(MISSING) + " user records");
    lines.add(row("bytes", number(totals, "bytes", "")));
    lines.add(row("shards", number(totals, "shards", stops())));
    lines.add(row("aggregates", number(totals, "aggregates", " taken apart")));
    lines.add(row("malformed", number(totals, "malformed", " kept whole")));
    lines.add(row("from T on", number(totals, "skipped", " skipped")));
    lines.add(row("duration", duration().map(Standing::clock).orElse(MISSING)));
    lines.add(row("records/s", rate(totals)));
    lines.add(row("report", location));
    return lines;
  }

  private static String row(String name, String value) {
    return String.format(Locale.ROOT, "  %-12s%s", name, value);
  }

  private static String number(JsonNode totals, String name, String behind) {
    JsonNode value = totals.path(name);
    return value.isIntegralNumber()
        ? String.format(Locale.ROOT, "%,d", value.asLong()) + behind
        : MISSING;
  }

  /** How many shards stopped for which reason. */
  private String stops() {
    Map<String, Integer> reasons = new TreeMap<>();
    report
        .path("shards")
        .forEach(shard -> reasons.merge(shard.path("stop").asText(MISSING), 1, Integer::sum));
    List<String> counts = new ArrayList<>();
    reasons.forEach((reason, count) -> counts.add(count + " " + reason));
    return counts.isEmpty() ? "" : " (" + String.join(", ", counts) + ")";
  }

  /** From the beginning of the copy to its end, stops in between included. */
  private Optional<Duration> duration() {
    JsonNode duration = report.path("run").path("duration");
    return duration.isTextual() ? Optional.of(Duration.parse(duration.asText())) : Optional.empty();
  }

  /** Over all of that time. */
  private String rate(JsonNode totals) {
    JsonNode records = totals.path("records");
    Optional<Duration> duration = duration().filter(length -> length.toMillis() > 0);
    return records.isIntegralNumber() && duration.isPresent()
        ? String.format(Locale.ROOT, "%,.0f", records.asLong() * 1e3 / duration.get().toMillis())
        : MISSING;
  }
}
