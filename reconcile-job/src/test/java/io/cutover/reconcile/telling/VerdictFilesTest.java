package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.reconcile.verdict.ReportDraft;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerdictFilesTest {

  private static final String DATED = "verdict-20261130T020731.250Z-5f0c9a1e.json";

  @TempDir private Path path;

  private CutoverDir dir;
  private VerdictFiles files;

  @BeforeEach
  void open() {
    dir = new CutoverDir(path.resolve("cutover").toUri().toString());
    files = new VerdictFiles(dir);
  }

  private static VerdictReport ofRun(String id) {
    ReportDraft draft = Reports.clean(2);
    draft.run =
        new Run(
            id,
            Instant.parse("2026-11-30T03:00:00Z"),
            Instant.parse("2026-11-30T03:00:01.002003Z"));
    return draft.report();
  }

  @Test
  void datedFilePageAndLastVerdictAreWritten() {
    files.write(Reports.mismatch());
    assertThat(dir.names("")).containsExactlyInAnyOrder(DATED, "verdict.html", "verdict.json");
    assertThat(dir.read("verdict.json").orElseThrow()).isEqualTo(dir.read(DATED).orElseThrow());
    assertThat(files.page()).endsWith("/cutover/verdict.html");
  }

  @Test
  void historyKeepsEveryRunAndTheLastReplacesTheOneBefore() {
    files.write(Reports.mismatch());
    files.write(ofRun("00000001"));
    assertThat(dir.names("verdict-"))
        .containsExactlyInAnyOrder(DATED, "verdict-20261130T030001.002Z-00000001.json");
    String last = dir.names("verdict-20261130T03").get(0);
    assertThat(dir.read("verdict.json").orElseThrow()).isEqualTo(dir.read(last).orElseThrow());
  }

  @Test
  void secondVerdictOfARunReplacesItsFirst() {
    files.write(ofRun("5f0c9a1e"));
    files.write(Reports.mismatch());
    assertThat(dir.names("verdict-")).containsExactly(DATED);
    assertThat(files.of("5f0c9a1e")).contains(Reports.mismatch());
  }

  @Test
  void runIsFoundByItsId() {
    assertThat(files.of("5f0c9a1e")).isEmpty();
    files.write(Reports.mismatch());
    files.write(ofRun("00000001"));
    assertThat(files.of("5f0c9a1e")).contains(Reports.mismatch());
    assertThat(files.of("00000001")).contains(ofRun("00000001"));
    assertThat(files.of("00000002")).isEmpty();
  }

  @Test
  void fileThatWasChangedIsRefused() throws IOException {
    files.write(Reports.mismatch());
    Files.writeString(path.resolve("cutover").resolve(DATED), "{\"format\": \"cutover-verdict\"}");
    assertThatThrownBy(() -> files.of("5f0c9a1e"))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.reason()).isEqualTo(Reason.REPORT_UNREADABLE))
        .hasMessageContaining(DATED);
  }
}
