package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.pin.Pin;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;

/**
 * What a complete copy came to; the file {@code backfill-report.json} in {@code cutover.dir}, whole
 * or absent. Written by the job when everything is committed, so its presence says so.
 *
 * @param suspectCommits transactions whose commit failed; if any, the topic was read back and held
 *     what was read
 * @param shards the ledgers, ordered by shard id
 */
record BackfillReport(Pin pin, long suspectCommits, List<ShardLedger> shards) {

  static final String FILE = "backfill-report.json";

  private static final String FORMAT = "cutover-backfill-report";
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  BackfillReport {
    shards =
        shards.stream()
            .sorted(Comparator.comparing((ShardLedger ledger) -> ledger.shard().id()))
            .toList();
  }

  long records() {
    return sum(ShardLedger::records);
  }

  private long sum(ToLongFunction<ShardLedger> count) {
    return shards.stream().mapToLong(count).sum();
  }

  /**
   * The report in a folder.
   *
   * @return the file as it stands, or nothing if there is none
   * @throws Refusal when the file is no report of a version known here
   */
  static Optional<JsonNode> in(String dir) {
    Path file = new Path(dir, FILE);
    try {
      FileSystem files = file.getFileSystem();
      if (!files.exists(file)) {
        return Optional.empty();
      }
      try (InputStream in = files.open(file)) {
        JsonNode report = JSON.readTree(in);
        boolean known =
            FORMAT.equals(report.path("format").asText())
                && report.path("version").asInt() == VERSION;
        if (!known) {
          throw new Refusal(
              Reason.REPORT_UNREADABLE,
              file
                  + " is not a backfill report of version "
                  + VERSION
                  + ": give this cutover a folder of its own, or use the release that wrote it");
        }
        return Optional.of(report);
      }
    } catch (IOException e) {
      throw new Refusal(
          Reason.REPORT_UNREADABLE, "the report " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  void writeTo(String dir) {
    Path file = new Path(dir, FILE);
    try {
      FileSystem files = file.getFileSystem();
      // Appears under its name when it is whole: a rename here, an upload's end on an object store.
      RecoverableFsDataOutputStream out = files.createRecoverableWriter().open(file);
      try {
        out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(toJson()));
        out.closeForCommit().commit();
      } finally {
        out.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the report " + file + " cannot be written", e);
    }
  }

  private ObjectNode toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT).put("version", VERSION).put("state", "complete");
    json.put("pin", pin.id())
        .put("stream", pin.stream().arn())
        .put("streamCreatedAt", pin.stream().createdAt().toString())
        .put("topic", pin.topic().name())
        .put("boundary", pin.boundary().toString());
    json.put("suspectCommits", suspectCommits)
        .put("readBack", suspectCommits > 0 ? "equal" : "not needed");
    json.putObject("totals")
        .put("shards", shards.size())
        .put("records", records())
        .put("bytes", sum(ShardLedger::bytes))
        .put("skipped", sum(ShardLedger::skipped))
        .put("aggregates", sum(ShardLedger::aggregates))
        .put("malformed", sum(ShardLedger::malformed))
        .put("outOfRange", sum(ShardLedger::outOfRange));
    var array = json.putArray("shards");
    shards.forEach(ledger -> array.add(toJson(ledger)));
    return json;
  }

  private static ObjectNode toJson(ShardLedger ledger) {
    ObjectNode json = JSON.createObjectNode();
    json.put("shard", ledger.shard().id());
    var parents = json.putArray("parents");
    ledger.shard().parents().forEach(parents::add);
    json.put("startingHashKey", ledger.shard().range().start().toString())
        .put("endingHashKey", ledger.shard().range().end().toString())
        .put("stop", ledger.endReason().name());
    mark(json, "first", ledger.first());
    mark(json, "last", ledger.last());
    mark(json, "firstSkipped", ledger.firstSkipped());
    return json.put("records", ledger.records())
        .put("bytes", ledger.bytes())
        .put("skipped", ledger.skipped())
        .put("aggregates", ledger.aggregates())
        .put("malformed", ledger.malformed())
        .put("outOfRange", ledger.outOfRange());
  }

  private static void mark(ObjectNode json, String name, Optional<Mark> mark) {
    mark.ifPresent(
        m ->
            json.putObject(name)
                .put("sequence", m.sequenceNumber())
                .put("arrival", Instant.ofEpochMilli(m.arrivalMillis()).toString()));
  }
}
