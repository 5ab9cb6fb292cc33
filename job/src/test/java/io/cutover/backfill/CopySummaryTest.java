package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CopySummaryTest {

  private static final String REPORT =
      """
      {"totals": {"shards": 3, "records": 1234567, "bytes": 987654321, "skipped": 12,
                  "aggregates": 70, "malformed": 1},
       "shards": [{"stop": "TIP"}, {"stop": "CLOSED"}, {"stop": "TIP"}],
       "run": {"duration": "PT1M40.5S"}}
      """;

  private static CopySummary summary(String report) throws IOException {
    return new CopySummary(new ObjectMapper().readTree(report), "file:/srv/orders/report.json");
  }

  @Test
  void tableTellsWhatTheCopyCameTo() throws IOException {
    assertThat(summary(REPORT).lines())
        .containsExactly(
            "Complete: 1234567 user records",
            "  bytes       987,654,321",
            "  shards      3 (1 CLOSED, 2 TIP)",
            "  aggregates  70 taken apart",
            "  malformed   1 kept whole",
            "  from T on   12 skipped",
            "  duration    0:01:40",
            "  records/s   12,284",
            "  report      file:/srv/orders/report.json");
  }

  @Test
  void whatTheReportDoesNotHoldIsSaidToBeMissing() throws IOException {
    assertThat(summary("{}").lines())
        .containsSequence(
            "Complete: not in the report user records",
            "  bytes       not in the report",
            "  shards      not in the report")
        .contains("  duration    not in the report", "  records/s   not in the report");
  }
}
