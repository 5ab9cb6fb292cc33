package io.cutover.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CutoverDir;
import io.cutover.Refusal;
import io.cutover.kafka.KafkaOptions;
import io.cutover.lineage.EndReason;
import io.cutover.pin.Pins;
import io.cutover.source.Mark;
import io.cutover.source.ReadCost;
import io.cutover.source.ShardLedger;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackfillReportTest {

  private static final RunFacts RUN =
      new RunFacts(
          Instant.parse("2026-03-01T13:00:00Z"),
          Instant.parse("2026-03-01T13:10:30Z"),
          new StartFacts(
              3,
              Optional.of("partition 0, offset 7, timestamp 2026-03-01T12:00:01Z"),
              List.of(new StartFacts.Waiver("broker-transaction-timeout", "not allowed to ask"))),
          0);

  @TempDir private Path dir;

  private static BackfillReport report(long suspectCommits) {
    return new BackfillReport(
        Pins.any(),
        KafkaOptions.Key.PARTITION_KEY,
        Duration.ofMinutes(1),
        List.of(Ledgers.FULL, Ledgers.UNREAD),
        new WitnessFile.Written("00ff", 2),
        new RunFacts(RUN.begunAt(), RUN.settledAt(), RUN.start(), suspectCommits));
  }

  private CutoverDir folder() {
    return new CutoverDir(dir.toUri().toString());
  }

  private Optional<JsonNode> read() {
    return BackfillReport.in(folder());
  }

  private String written() throws IOException {
    return Files.readString(dir.resolve(BackfillReport.FILE));
  }

  private static String golden() throws IOException {
    try (InputStream in = BackfillReportTest.class.getResourceAsStream("backfill-report-v2.json")) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** The file is a contract: a change of its form is a new version. */
  @Test
  void fileIsTheSameByteForByteSortedByShard() throws IOException {
    report(0).write(folder());
    assertThat(written()).isEqualTo(golden());
  }

  @Test
  void reportThatIsWrittenAgainReplacesItself() throws IOException {
    report(3).write(folder());
    report(0).write(folder());
    assertThat(written()).isEqualTo(golden());
  }

  @Test
  void suspectCommitsSayThatTheTopicWasReadBack() {
    report(2).write(folder());
    JsonNode run = read().orElseThrow().path("run");
    assertThat(run.path("suspectCommits").asLong()).isEqualTo(2);
    assertThat(run.path("readBack").asText()).isEqualTo("equal");
  }

  @Test
  void reportIsReadBack() {
    report(0).write(folder());
    JsonNode read = read().orElseThrow();
    assertThat(read.path("pin").asText()).isEqualTo(Pins.any().id());
    assertThat(read.path("totals").path("records").asLong()).isEqualTo(10);
    assertThat(report(0).records()).isEqualTo(10);
  }

  @Test
  void folderWithoutAReportHasNone() {
    assertThat(read()).isEmpty();
    assertThat(BackfillReport.in(new CutoverDir(dir.toUri() + "absent"))).isEmpty();
  }

  @Test
  void folderIsMade() {
    report(0).write(new CutoverDir(dir.toUri() + "not/yet"));
    assertThat(dir.resolve("not/yet").resolve(BackfillReport.FILE)).exists();
  }

  @Test
  void nothingButTheReportIsLeft() throws IOException {
    report(0).write(folder());
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(dir.resolve(BackfillReport.FILE));
    }
  }

  @Test
  void fileThatCannotBeWrittenIsNamedAndDoesNotAppear() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "in the way");
    CutoverDir inTheWay = new CutoverDir(file.toUri().toString());
    assertThatThrownBy(() -> report(0).write(inTheWay))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(BackfillReport.FILE)
        .hasMessageContaining("[FOLDER_UNUSABLE]");
    assertThat(file).hasContent("in the way");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"format\":\"something-else\",\"version\":2,\"state\":\"complete\"}",
        "{\"format\":\"cutover-backfill-report\",\"state\":\"complete\"}",
        "{\"format\":\"cutover-backfill-report\",\"version\":2,\"state\":\"committing\"}",
        "{\"format\":\"cutover-backfill-report\",\"version\":1,\"state\":\"complete\"}",
        "{\"format\":\"cutover-backfill-report\",\"version\":3,\"state\":\"complete\"}"
      })
  void whatIsNoCompleteReportOfThisVersionIsRefused(String content) throws IOException {
    Files.writeString(dir.resolve(BackfillReport.FILE), content);
    assertThatThrownBy(this::read)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(BackfillReport.FILE)
        .hasMessageContaining("version 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "not json", "{\"format\": "})
  void unreadableFileIsRefused(String content) throws IOException {
    Files.writeString(dir.resolve(BackfillReport.FILE), content);
    assertThatThrownBy(this::read)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(BackfillReport.FILE);
  }

  @Test
  void whatExpiredBetweenPinAndReadingIsSaid() {
    // The pin saw a record of the shard that was not there any more when it was read.
    ShardLedger read =
        new ShardLedger(
            Pins.any().shards().get(0),
            Optional.of(new Mark("5", Pins.any().boundary().minusSeconds(60).toEpochMilli())),
            Optional.of(new Mark("5", Pins.any().boundary().minusSeconds(60).toEpochMilli())),
            Optional.empty(),
            1,
            1,
            0,
            0,
            0,
            0,
            OptionalLong.empty(),
            Optional.of(EndReason.TIP),
            ReadCost.NONE);
    new BackfillReport(
            Pins.any(),
            KafkaOptions.Key.PARTITION_KEY,
            Duration.ofMinutes(1),
            List.of(read),
            new WitnessFile.Written("00ff", 1),
            RUN)
        .write(folder());
    JsonNode report = read().orElseThrow();
    assertThat(report.at("/expiredUnread/from").asText()).isEqualTo("2026-03-01T11:00:00.500Z");
    assertThat(report.at("/expiredUnread/to").asText()).isEqualTo("2026-03-01T11:59:00.500Z");
    assertThat(report.at("/shards/0/expiredUnread")).isEqualTo(report.at("/expiredUnread"));
  }
}
