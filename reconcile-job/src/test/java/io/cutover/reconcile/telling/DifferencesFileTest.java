package io.cutover.reconcile.telling;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.CutoverDir;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import io.cutover.reconcile.verdict.VerdictReport.Listing;
import io.cutover.tally.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DifferencesFileTest {

  private static final String NAME = DifferencesFile.NAME;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path path;

  private CutoverDir dir() {
    return new CutoverDir(path.toUri().toString());
  }

  private Differences written(List<Difference> differences) {
    try (DifferencesFile file = DifferencesFile.begin(dir(), "pin", "run")) {
      differences.forEach(file::add);
      return file.publish();
    }
  }

  private List<String> lines() {
    return new String(dir().read(NAME).orElseThrow(), UTF_8).lines().toList();
  }

  private static List<Difference> one(Kind kind, int times) {
    return Stream.generate(() -> Reports.difference(kind, 1, 2)).limit(times).toList();
  }

  @Test
  void headerStandsFirstThenEachRecordInItsLine() throws IOException {
    List<Difference> all =
        Stream.of(Kind.values()).map(kind -> Reports.difference(kind, 0, 9)).toList();
    written(all);
    assertThat(lines().get(0))
        .isEqualTo(
            "{\"format\":\"cutover-differences\",\"version\":1,\"pin\":\"pin\",\"run\":\"run\"}");
    assertThat(lines()).hasSize(all.size() + 1);
    for (int i = 0; i < all.size(); i++) {
      assertThat(DifferenceJson.difference(JSON.readTree(lines().get(i + 1))))
          .isEqualTo(all.get(i));
    }
  }

  @Test
  void everythingIsCountedAndTheFirstFiveOfEachKindAreKept() {
    Differences told =
        written(
            Stream.concat(one(Kind.MISSING, 1000).stream(), one(Kind.DOUBLED, 2).stream())
                .toList());
    assertThat(told.counts()).isEqualTo(Map.of(Kind.MISSING, 1000L, Kind.DOUBLED, 2L));
    assertThat(told.samples())
        .extracting(Difference::kind)
        .containsExactly(
            Kind.MISSING,
            Kind.MISSING,
            Kind.MISSING,
            Kind.MISSING,
            Kind.MISSING,
            Kind.DOUBLED,
            Kind.DOUBLED);
    assertThat(lines()).hasSize(1003);
  }

  @Test
  void checksumIsThatOfTheWholeFile() {
    Differences told = written(one(Kind.EXTRA, 3));
    byte[] file = dir().read(NAME).orElseThrow();
    assertThat(told.listing())
        .contains(new Listing(NAME, HexFormat.of().formatHex(Sha256.begun().digest(file))));
  }

  @Test
  void whereNothingDiffersTheFileHasAHeaderOnly() {
    written(one(Kind.EXTRA, 3));
    Differences told = written(List.of());
    assertThat(told.counts()).isEmpty();
    assertThat(lines()).hasSize(1);
  }

  @Test
  void whatIsNotPublishedLeavesTheEarlierFileAsItWas() {
    written(one(Kind.EXTRA, 3));
    try (DifferencesFile file = DifferencesFile.begin(dir(), "pin", "run")) {
      file.add(Reports.difference(Kind.EXTRA, 0, 1));
    }
    assertThat(lines()).hasSize(4);
  }

  @Test
  void lineThatIsNoRecordIsRefused() throws IOException {
    for (String line :
        List.of("{}", "{\"kind\":\"ODD\",\"places\":[]}", "{\"kind\":\"EXTRA\"}", "[]")) {
      assertThatThrownBy(() -> DifferenceJson.difference(JSON.readTree(line)))
          .isInstanceOf(IOException.class);
    }
  }
}
