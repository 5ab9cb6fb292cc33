package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README's table of refusals has a row for each reason, and for nothing else. */
class RefusalTableTest {

  private static final String SECTION = "\n## Refusals and errors\n";

  private record Row(String name, String exitCode, String when, String whatToDo) {}

  private static List<Row> rows() throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    int from = readme.indexOf(SECTION);
    assertThat(from).as("README.md has the section%s", SECTION).isNotNegative();
    int to = readme.indexOf("\n## ", from + SECTION.length());
    return readme
        .substring(from, to < 0 ? readme.length() : to)
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(RefusalTableTest::row)
        .toList();
  }

  private static Row row(String line) {
    String[] cells = line.split("\\|", -1);
    assertThat(cells).as(line).hasSize(6);
    return new Row(
        cells[1].strip().replace("`", ""), cells[2].strip(), cells[3].strip(), cells[4].strip());
  }

  @Test
  void everyReasonHasOneRowInItsOrder() throws IOException {
    assertThat(rows())
        .extracting(Row::name)
        .as("README.md, Refusals and errors: a row for each constant of Reason, in its order")
        .containsExactlyElementsOf(Arrays.stream(Reason.values()).map(Reason::name).toList());
  }

  @Test
  void exitCodesAreTheReasons() throws IOException {
    for (Row row : rows()) {
      assertThat(row.exitCode())
          .as(row.name())
          .isEqualTo(Integer.toString(Reason.valueOf(row.name()).exitCode()));
    }
  }

  @Test
  void everyRowSaysWhenAndWhatToDo() throws IOException {
    assertThat(rows())
        .allSatisfy(
            row -> {
              assertThat(row.when()).as(row.name()).hasSizeGreaterThan(15);
              assertThat(row.whatToDo()).as(row.name()).hasSizeGreaterThan(10);
            });
  }

  @Test
  void everyReasonIsGivenSomewhere() throws IOException {
    StringBuilder code = new StringBuilder();
    for (String module : List.of("job", "reconcile-job")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          code.append(Files.readString(file));
        }
      }
    }
    // A verdict is given by the reason of its name.
    for (Reason reason : Reason.values()) {
      assertThat(Pattern.compile("\\b(Reason|Verdict)\\." + reason + "\\b").matcher(code).find())
          .as("%s is given somewhere", reason)
          .isTrue();
    }
  }
}
