package io.cutover.backfill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.Refusal;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackfillReportTest {

  private static final Pin PIN = Pins.any();

  @TempDir private Path dir;

  private static BackfillReport report(long suspectCommits) {
    return new BackfillReport(PIN, suspectCommits, List.of(Ledgers.FULL, Ledgers.UNREAD));
  }

  private String folder() {
    return dir.toUri().toString();
  }

  private String written() throws IOException {
    return Files.readString(dir.resolve(BackfillReport.FILE));
  }

  private static String golden() throws IOException {
    try (InputStream in = BackfillReportTest.class.getResourceAsStream("backfill-report-v1.json")) {
      return new String(in.readAllBytes(), UTF_8).strip();
    }
  }

  /** The file is a contract: a change of its form is a new version. */
  @Test
  void fileIsTheSameByteForByteSortedByShard() throws IOException {
    report(0).writeTo(folder());
    assertThat(written()).isEqualTo(golden());
  }

  @Test
  void reportThatIsWrittenAgainReplacesItself() throws IOException {
    report(3).writeTo(folder());
    report(0).writeTo(folder());
    assertThat(written()).isEqualTo(golden());
  }

  @Test
  void suspectCommitsSayThatTheTopicWasReadBack() throws IOException {
    report(2).writeTo(folder());
    JsonNode read = BackfillReport.in(folder()).orElseThrow();
    assertThat(read.path("suspectCommits").asLong()).isEqualTo(2);
    assertThat(read.path("readBack").asText()).isEqualTo("equal");
  }

  @Test
  void reportIsReadBack() {
    report(0).writeTo(folder());
    JsonNode read = BackfillReport.in(folder()).orElseThrow();
    assertThat(read.path("pin").asText()).isEqualTo("0123456789abcdef");
    assertThat(read.path("totals").path("records").asLong()).isEqualTo(10);
    assertThat(report(0).records()).isEqualTo(10);
  }

  @Test
  void folderWithoutAReportHasNone() {
    assertThat(BackfillReport.in(folder())).isEmpty();
    assertThat(BackfillReport.in(folder() + "absent")).isEmpty();
  }

  @Test
  void folderIsMade() throws IOException {
    report(0).writeTo(folder() + "not/yet");
    assertThat(dir.resolve("not/yet").resolve(BackfillReport.FILE)).exists();
  }

  @Test
  void nothingButTheReportIsLeft() throws IOException {
    report(0).writeTo(folder());
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(dir.resolve(BackfillReport.FILE));
    }
  }

  @Test
  void fileThatCannotBeWrittenIsNamedAndDoesNotAppear() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "in the way");
    String inTheWay = file.toUri().toString();
    assertThatThrownBy(() -> report(0).writeTo(inTheWay))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(BackfillReport.FILE);
    assertThat(file).hasContent("in the way");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "",
        "{\"format\":\"something-else\",\"version\":1}",
        "{\"format\":\"cutover-backfill-report\"}",
        "{\"format\":\"cutover-backfill-report\",\"version\":2}"
      })
  void foreignOrNewerFileIsRefused(String content) throws IOException {
    Files.writeString(dir.resolve(BackfillReport.FILE), content);
    assertThatThrownBy(() -> BackfillReport.in(folder()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(BackfillReport.FILE)
        .hasMessageContaining("version 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "not json", "{\"format\": "})
  void unreadableFileIsRefused(String content) throws IOException {
    Files.writeString(dir.resolve(BackfillReport.FILE), content);
    assertThatThrownBy(() -> BackfillReport.in(folder()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(BackfillReport.FILE);
  }
}
