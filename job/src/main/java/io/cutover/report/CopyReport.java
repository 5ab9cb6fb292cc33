package io.cutover.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kafka.KafkaOptions;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.report.ExpiredUnread.Span;
import io.cutover.source.Mark;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a complete copy says of itself; read from what {@link BackfillReport} wrote.
 *
 * @param key what stands as key in the topic
 * @param slack how far behind T the reading of a shard went on, at least
 * @param witnessSha256 of {@link WitnessFile}, hexadecimal
 * @param expiredUnread what expired between the pin and the reading
 * @param shards ordered by id, each once
 */
public record CopyReport(
    String pinId,
    KafkaOptions.Key key,
    Duration slack,
    String witnessSha256,
    Optional<Span> expiredUnread,
    List<ReportedShard> shards) {

  public CopyReport {
    shards = List.copyOf(shards);
  }

  /** The shards by their ids. */
  public Map<String, ReportedShard> byId() {
    Map<String, ReportedShard> byId = new HashMap<>();
    shards.forEach(shard -> byId.put(shard.id(), shard));
    return byId;
  }

  /**
   * The report in a folder, if a copy is complete.
   *
   * @throws Refusal when there is a file, but no report of a version and state known here, or one
   *     that lacks anything
   */
  public static Optional<CopyReport> in(CutoverDir dir) {
    Optional<JsonNode> file = BackfillReport.in(dir);
    try {
      return file.map(json -> of(new Fields(json)));
    } catch (IllegalArgumentException malformed) {
      throw new Refusal(
          Reason.REPORT_UNREADABLE,
          dir.location(BackfillReport.FILE)
              + " is not as the backfill wrote it ("
              + malformed.getMessage()
              + "): restore it, or copy anew into another folder and topic",
          malformed);
    }
  }

  private static CopyReport of(Fields report) {
    List<ReportedShard> shards =
        report.array("shards").stream().map(shard -> shard(new Fields(shard))).toList();
    checkSums(report.object("totals"), shards);
    return new CopyReport(
        report.text("pin"),
        report.parsed("key", CopyReport::key),
        report.parsed("slack", Duration::parse),
        report.object("witness").text("sha256"),
        span(report),
        shards);
  }

  private static KafkaOptions.Key key(String text) {
    return Arrays.stream(KafkaOptions.Key.values())
        .filter(key -> key.toString().equals(text))
        .findFirst()
        .orElseThrow();
  }

  private static Optional<Span> span(Fields fields) {
    return fields
        .optional("expiredUnread")
        .map(
            span ->
                new Span(span.parsed("from", Instant::parse), span.parsed("to", Instant::parse)));
  }

  /** A shard that was taken out, or stands there twice, would be missed nowhere else. */
  private static void checkSums(Fields totals, List<ReportedShard> shards) {
    boolean once = shards.stream().map(ReportedShard::id).distinct().count() == shards.size();
    if (!once
        || totals.count("shards") != shards.size()
        || totals.count("records") != shards.stream().mapToLong(ReportedShard::records).sum()
        || totals.count("bytes") != shards.stream().mapToLong(ReportedShard::bytes).sum()
        || totals.count("skipped") != shards.stream().mapToLong(ReportedShard::skipped).sum()) {
      throw new IllegalArgumentException("its shards do not add up to its totals");
    }
  }

  private static ReportedShard shard(Fields shard) {
    return new ReportedShard(
        shard.text("shard"),
        shard.array("parents").stream().map(CopyReport::parent).toList(),
        new HashRange(
            shard.parsed("startingHashKey", BigInteger::new),
            shard.parsed("endingHashKey", BigInteger::new)),
        shard.parsed("stop", EndReason::valueOf),
        mark(shard, "first"),
        mark(shard, "last"),
        mark(shard, "firstSkipped"),
        shard.count("records"),
        shard.count("bytes"),
        shard.count("skipped"));
  }

  private static String parent(JsonNode id) {
    if (!id.isTextual()) {
      throw new IllegalArgumentException("a parent is no text");
    }
    return id.textValue();
  }

  private static Optional<Mark> mark(Fields shard, String name) {
    return shard
        .optional(name)
        .map(
            mark ->
                new Mark(
                    mark.sequence("sequence"),
                    mark.parsed("arrival", text -> Instant.parse(text).toEpochMilli())));
  }
}
