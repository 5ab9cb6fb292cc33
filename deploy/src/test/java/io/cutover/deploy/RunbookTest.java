package io.cutover.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.Reason;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The runbook has a row for each thing that the jobs can say, and for nothing else. */
class RunbookTest {

  private static final Path DEPLOY = Checkout.ROOT.resolve("deploy");

  private static String runbook;

  /** The cells of a row of a table. */
  private record Row(List<String> cells) {
    List<String> names() {
      return Pattern.compile("`([A-Z_]+)`")
          .matcher(cells.get(0))
          .results()
          .map(found -> found.group(1))
          .toList();
    }

    String cell(int column) {
      return cells.get(column);
    }
  }

  @BeforeAll
  static void read() throws IOException {
    runbook = Files.readString(DEPLOY.resolve("RUNBOOK.md"));
  }

  /** The rows of a section's tables that begin with a name. */
  private static List<Row> rows(String section) {
    String heading = "\n## " + section + "\n";
    int from = runbook.indexOf(heading);
    assertThat(from).as("RUNBOOK.md has the section %s", section).isNotNegative();
    int to = runbook.indexOf("\n## ", from + heading.length());
    return runbook
        .substring(from, to < 0 ? runbook.length() : to)
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> new Row(Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList()))
        .toList();
  }

  @Test
  void everyReasonHasOneRowInItsOrder() {
    assertThat(rows("Refusals and errors"))
        .flatExtracting(Row::names)
        .containsExactlyElementsOf(Arrays.stream(Reason.values()).map(Reason::name).toList());
  }

  @Test
  void exitCodesAreTheReasons() {
    assertThat(rows("Refusals and errors"))
        .allSatisfy(
            row ->
                assertThat(row.cell(1))
                    .isEqualTo(Integer.toString(Reason.valueOf(row.names().get(0)).exitCode())));
  }

  @Test
  void everyFindingHasOneRow() {
    assertThat(rows("What a reconciliation can find"))
        .flatExtracting(Row::names)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(FindingCode.values()).map(FindingCode::name).toList());
  }

  @Test
  void everyVerdictHasOneRowWithItsExitCode() {
    assertThat(rows("Verdicts"))
        .flatExtracting(Row::names)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Verdict.values()).map(Verdict::name).toList());
    assertThat(rows("Verdicts"))
        .allSatisfy(
            row ->
                assertThat(row.cell(1))
                    .isEqualTo(Integer.toString(Verdict.valueOf(row.names().get(0)).exitCode())));
  }

  @Test
  void everyRowSaysWhenAndWhatToDo() {
    for (String section :
        List.of("Refusals and errors", "What a reconciliation can find", "Verdicts")) {
      assertThat(rows(section))
          .isNotEmpty()
          .allSatisfy(
              row ->
                  assertThat(row.cells().subList(2, row.cells().size()))
                      .allSatisfy(cell -> assertThat(cell).hasSizeGreaterThan(10)));
    }
  }

  @Test
  void everyReasonIsGivenSomewhere() throws IOException {
    StringBuilder code = new StringBuilder();
    for (String module : List.of("job", "reconcile-job")) {
      try (Stream<Path> files = Files.walk(Checkout.ROOT.resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          code.append(Files.readString(file));
        }
      }
    }
    // A verdict is given by the reason of its name.
    assertThat(Reason.values())
        .allSatisfy(
            reason -> assertThat(code).containsPattern("\\b(Reason|Verdict)\\." + reason + "\\b"));
  }

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> links =
        Pattern.compile("]\\(([^)]+)\\)")
            .matcher(runbook)
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();
    assertThat(links)
        .isNotEmpty()
        .allSatisfy(
            link -> {
              int hash = link.indexOf('#');
              String path = hash < 0 ? link : link.substring(0, hash);
              Path file = DEPLOY.resolve(path.isEmpty() ? "RUNBOOK.md" : path);
              assertThat(file).exists();
              if (hash >= 0) {
                assertThat(anchors(file)).contains(link.substring(hash));
              }
            });
  }

  private static List<String> anchors(Path file) throws IOException {
    return Files.readString(file)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(RunbookTest::anchor)
        .toList();
  }

  /** What a heading can be linked by. */
  private static String anchor(String heading) {
    return "#"
        + heading
            .replaceFirst("^#+ ", "")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9 -]", "")
            .replace(' ', '-');
  }
}
