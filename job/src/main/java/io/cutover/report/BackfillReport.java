package io.cutover.report;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kafka.KafkaOptions;
import io.cutover.pin.Pin;
import io.cutover.source.ShardLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * What a complete copy came to; the file {@code backfill-report.json} in {@code cutover.dir}, whole
 * or absent. Written by the job when everything is committed, so its presence says so.
 *
 * <p>What is under {@code run} tells of the runs that made the copy. All else is the copy's own: it
 * is the same, byte for byte, whatever the parallelism, and however often the job was restarted.
 *
 * @param key what stands as key in the topic
 * @param slack how far behind T the reading of a shard went on, at least
 * @param shards the ledgers, ordered by shard id
 */
public record BackfillReport(
    Pin pin,
    KafkaOptions.Key key,
    Duration slack,
    List<ShardLedger> shards,
    WitnessFile.Written witness,
    RunFacts run) {

  public static final String FILE = "backfill-report.json";

  private static final String FORMAT = "cutover-backfill-report";
  private static final int VERSION = 2;
  private static final String COMPLETE = "complete";
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  public BackfillReport {
    shards =
        shards.stream()
            .sorted(Comparator.comparing((ShardLedger ledger) -> ledger.shard().id()))
            .toList();
  }

  /** User records copied. */
  public long records() {
    return sum(ShardLedger::records);
  }

  private long sum(ToLongFunction<ShardLedger> count) {
    return shards.stream().mapToLong(count).sum();
  }

  /**
   * The report in a folder.
   *
   * @return the file as it stands, or nothing if there is none
   * @throws Refusal when the file is no report of a version and state known here
   */
  public static Optional<JsonNode> in(CutoverDir dir) {
    return dir.read(FILE).map(file -> parse(dir.location(FILE), file));
  }

  private static JsonNode parse(String location, byte[] file) {
    try {
      JsonNode report = JSON.readTree(file);
      boolean known =
          FORMAT.equals(report.path("format").asText())
              && report.path("version").asInt() == VERSION
              && report.path("state").asText().equals(COMPLETE);
      if (!known) {
        throw new Refusal(
            Reason.REPORT_UNREADABLE,
            location
                + " is not a complete backfill report of version "
                + VERSION
                + ": give this cutover a folder of its own, or use the release that wrote it");
      }
      return report;
    } catch (IOException e) {
      throw new Refusal(
          Reason.REPORT_UNREADABLE,
          location
              + " is not JSON ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + "): restore it as it was written, or give this cutover a folder of its own",
          e);
    }
  }

  /** Writes the file, in the place of an earlier one. */
  public void write(CutoverDir dir) {
    dir.write(
        FILE,
        out ->
            out.write(
                (JSON.writerWithDefaultPrettyPrinter().writeValueAsString(toJson()) + "\n")
                    .getBytes(StandardCharsets.UTF_8)));
  }

  private ObjectNode toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT).put("version", VERSION).put("state", COMPLETE);
    putTerms(json);
    json.putObject("witness")
        .put("file", WitnessFile.NAME)
        .put("sha256", witness.sha256())
        .put("tallies", witness.tallies());
    json.putObject("totals")
        .put("shards", shards.size())
        .put("records", records())
        .put("bytes", sum(ShardLedger::bytes))
        .put("skipped", sum(ShardLedger::skipped))
        .put("aggregates", sum(ShardLedger::aggregates))
        .put("malformed", sum(ShardLedger::malformed))
        .put("outOfRange", sum(ShardLedger::outOfRange));
    ExpiredUnread expired = new ExpiredUnread(pin);
    expired.span(shards).ifPresent(span -> span.putInto(json));
    var array = json.putArray("shards");
    shards.forEach(ledger -> array.add(LedgerJson.of(ledger, expired)));
    putRun(json.putObject("run"));
    return json;
  }

  private void putTerms(ObjectNode json) {
    json.put("pin", pin.id())
        .put("stream", pin.stream().arn())
        .put("streamCreatedAt", pin.stream().createdAt().toString())
        .put("topic", pin.topic().name())
        .put("topicId", pin.topic().id())
        .put("partitions", pin.topic().partitions())
        .put("key", key.toString())
        .put("start", pin.start().toString())
        .put("boundary", pin.boundary().toString())
        .put("slack", slack.toString())
        .put("window", pin.tallyWindow().toString());
  }

  private void putRun(ObjectNode json) {
    json.put("begunAt", run.begunAt().toString())
        .put("settledAt", run.settledAt().toString())
        .put("duration", Duration.between(run.begunAt(), run.settledAt()).toString())
        .put("suspectCommits", run.suspectCommits())
        .put("readBack", run.suspectCommits() > 0 ? "equal" : "not needed")
        .put("liveRecords", run.start().liveRecords());
    run.start().firstLive().ifPresent(first -> json.put("firstLive", first));
    var waivers = json.putArray("waivers");
    run.start()
        .waivers()
        .forEach(w -> waivers.addObject().put("check", w.check()).put("found", w.found()));
    json.put("pages", sum(ledger -> ledger.cost().pages()))
        .put("emptyPages", sum(ledger -> ledger.cost().emptyPages()))
        .put("throttles", sum(ledger -> ledger.cost().throttles()))
        .put("iteratorRenewals", sum(ledger -> ledger.cost().renewals()));
    var array = json.putArray("shards");
    for (ShardLedger ledger : shards) {
      ObjectNode shard =
          array
              .addObject()
              .put("shard", ledger.shard().id())
              .put("pages", ledger.cost().pages())
              .put("emptyPages", ledger.cost().emptyPages())
              .put("throttles", ledger.cost().throttles())
              .put("iteratorRenewals", ledger.cost().renewals());
      putInstant(shard, "firstPageAt", ledger.cost().firstMillis());
      putInstant(shard, "lastPageAt", ledger.cost().lastMillis());
    }
  }

  private static void putInstant(ObjectNode json, String name, OptionalLong millis) {
    millis.ifPresent(m -> json.put(name, Instant.ofEpochMilli(m).toString()));
  }
}
