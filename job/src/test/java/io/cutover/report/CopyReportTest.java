package io.cutover.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kafka.KafkaOptions;
import io.cutover.lineage.EndReason;
import io.cutover.pin.Pins;
import io.cutover.report.ExpiredUnread.Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CopyReportTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path dir;

  private CutoverDir folder() {
    return new CutoverDir(dir.toUri().toString());
  }

  private static ObjectNode golden() throws IOException {
    try (InputStream in = CopyReportTest.class.getResourceAsStream("backfill-report-v2.json")) {
      return (ObjectNode) JSON.readTree(new String(in.readAllBytes(), UTF_8));
    }
  }

  private Optional<CopyReport> read(JsonNode json) throws IOException {
    Files.writeString(dir.resolve(BackfillReport.FILE), json.toString());
    return CopyReport.in(folder());
  }

  private void assertRefused(JsonNode json, String why) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.REPORT_UNREADABLE))
        .hasMessageContaining(BackfillReport.FILE)
        .hasMessageContaining(why);
  }

  @Test
  void folderWithoutAReportHasNone() {
    assertThat(CopyReport.in(folder())).isEmpty();
  }

  @Test
  void reportIsReadAsItWasWritten() throws IOException {
    CopyReport report = read(golden()).orElseThrow();
    assertThat(report.pinId()).isEqualTo(Pins.any().id());
    assertThat(report.key()).isEqualTo(KafkaOptions.Key.PARTITION_KEY);
    assertThat(report.slack()).isEqualTo(Duration.ofMinutes(1));
    assertThat(report.witnessSha256()).isEqualTo("00ff");
    assertThat(report.expiredUnread()).isEmpty();
    assertThat(report.shards())
        .containsExactly(
            new ReportedShard(
                Ledgers.UNREAD.shard().id(),
                List.of(),
                Ledgers.UNREAD.shard().range(),
                EndReason.UNREAD,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                0),
            new ReportedShard(
                Ledgers.FULL.shard().id(),
                Ledgers.FULL.shard().parents(),
                Ledgers.FULL.shard().range(),
                EndReason.CLOSED,
                Ledgers.FULL.first(),
                Ledgers.FULL.last(),
                Ledgers.FULL.firstSkipped(),
                10,
                1234,
                3));
  }

  @Test
  void copyWithoutKeysIsReadAsOne() throws IOException {
    assertThat(read(golden().put("key", "none")).orElseThrow().key())
        .isEqualTo(KafkaOptions.Key.NONE);
  }

  @Test
  void whatExpiredUnreadIsRead() throws IOException {
    ObjectNode json = golden();
    json.putObject("expiredUnread")
        .put("from", "2026-03-01T11:00:00.500Z")
        .put("to", "2026-03-01T11:59:00.500Z");
    assertThat(read(json).orElseThrow().expiredUnread())
        .contains(
            new Span(
                Instant.parse("2026-03-01T11:00:00.500Z"),
                Instant.parse("2026-03-01T11:59:00.500Z")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/format",
        "/version",
        "/state",
        "/pin",
        "/key",
        "/slack",
        "/witness",
        "/witness/sha256",
        "/totals",
        "/totals/shards",
        "/totals/records",
        "/totals/bytes",
        "/totals/skipped",
        "/shards",
        "/shards/1/shard",
        "/shards/1/parents",
        "/shards/1/startingHashKey",
        "/shards/1/endingHashKey",
        "/shards/1/stop",
        "/shards/1/first/sequence",
        "/shards/1/last/arrival",
        "/shards/1/records",
        "/shards/1/bytes",
        "/shards/1/skipped"
      })
  void whatIsMissingIsRefusedAndNeverTakenForGranted(String field) throws IOException {
    JsonPointer at = JsonPointer.compile(field);
    for (boolean asNull : new boolean[] {false, true}) {
      ObjectNode json = golden();
      ObjectNode holder = (ObjectNode) json.at(at.head());
      String name = at.last().getMatchingProperty();
      assertThat(holder.remove(name)).isNotNull();
      if (asNull) {
        holder.putNull(name);
      }
      assertRefused(json, isHead(field) ? "version 2" : "is not as the backfill wrote it");
    }
  }

  /** Without these it is taken for something else altogether. */
  private static boolean isHead(String field) {
    return List.of("/format", "/version", "/state").contains(field);
  }

  @ParameterizedTest
  @CsvSource({
    "/key, '\"sometimes\"', key is malformed: sometimes",
    "/slack, 60, slack is no text",
    "/slack, '\"a minute\"', slack is malformed: a minute",
    "/witness, '\"00ff\"', witness is no object",
    "/totals/records, 11, do not add up",
    "/totals/shards, 3, do not add up",
    "/expiredUnread, '{\"from\":\"2026-03-01T11:00:00Z\"}', to is no text",
    "/expiredUnread, null, expiredUnread is no object",
    "/shards, {}, shards is no array",
    "/shards/1, 7, there is no object",
    "/shards/1/parents, [7], a parent is no text",
    "/shards/1/stop, '\"BORED\"', stop is malformed: BORED",
    "/shards/1/endingHashKey, '\"9\"', a hash range lies within",
    "/shards/1/endingHashKey, '\"0xff\"', endingHashKey is malformed: 0xff",
    "/shards/1/records, '\"10\"', records is no count",
    "/shards/1/records, 1e1, records is no count",
    "/shards/1/bytes, -1, bytes is no count",
    "/shards/1/last, 3, last is no object",
    "/shards/1/last/sequence, 4959033829, sequence is no text",
    "/shards/1/last/sequence, '\"x\"', sequence is no sequence number: x",
    "/shards/1/last/arrival, 1700000000, arrival is no text",
    "/shards/1/last/arrival, '\"then\"', arrival is malformed: then"
  })
  void whatIsMalformedIsRefused(String field, String value, String why) throws IOException {
    JsonPointer at = JsonPointer.compile(field);
    ObjectNode json = golden();
    JsonNode holder = json.at(at.head());
    JsonNode put = JSON.readTree(value);
    if (holder instanceof ObjectNode object) {
      object.set(at.last().getMatchingProperty(), put);
    } else {
      ((ArrayNode) holder).set(at.last().getMatchingIndex(), put);
    }
    assertRefused(json, why);
  }

  @Test
  void shardThatStandsThereTwiceIsRefused() throws IOException {
    ObjectNode json = golden();
    ((ObjectNode) json.at("/shards/0")).put("shard", json.at("/shards/1/shard").textValue());
    assertRefused(json, "do not add up");
  }
}
