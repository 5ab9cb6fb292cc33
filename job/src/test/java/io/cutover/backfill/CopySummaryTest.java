package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CopySummaryTest {

  private static final String REPORT =
      """
      {"totals": {"shards": 3, "records": 1234567, "bytes": 987654321, "skipped": 12,
                  "aggregates": 70, "malformed": 1},
       "shards": [{"stop": "TIP"}, {"stop": "CLOSED"}, {"stop": "TIP"}]}
      """;

  private static CopySummary summary(String report, long recordsOfRun) throws IOException {
    JsonNode json = new ObjectMapper().readTree(report);
    return new CopySummary(
        json, "file:/srv/orders/report.json", Duration.ofSeconds(100), recordsOfRun);
  }

  @Test
  void tableTellsWhatTheCopyCameTo() throws IOException {
    assertThat(summary(REPORT, 1_234_567).lines())
        .containsExactly(
            "Complete: 1234567 user records",
            "  bytes       987,654,321",
            "  shards      3 (1 CLOSED, 2 TIP)",
            "  aggregates  70 taken apart",
            "  malformed   1 kept whole",
            "  from T on   12 skipped",
            "  duration    0:01:40",
            "  records/s   12,346",
            "  report      file:/srv/orders/report.json");
  }

  @Test
  void rateIsNotMadeUpWhenOnlyAPartWasReadByTheLastAttempt() throws IOException {
    assertThat(summary(REPORT, 1000).lines())
        .contains("  records/s   not known: not all of it was read in one go");
  }

  @Test
  void whatTheReportDoesNotHoldIsSaidToBeMissing() throws IOException {
    assertThat(summary("{}", 0).lines())
        .containsSequence(
            "Complete: not in the report user records",
            "  bytes       not in the report",
            "  shards      not in the report")
        .contains("  records/s   not known: not all of it was read in one go");
  }
}
