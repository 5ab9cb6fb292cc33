package io.cutover.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who reconciles can judge a copy, and change nothing that it is judged by. */
class StoragePolicyTest {

  private static final String DIR = "orders/cutover";
  private static final String GATE = "orders/gate/ha";

  private final StoragePolicy reconciler = StoragePolicy.reconciler("bucket", "orders", DIR, GATE);

  private boolean may(String action, String key) {
    return reconciler.allows(new S3Request("s3:" + action, Optional.of(key)));
  }

  private static Stream<String> thatChange() {
    return Stream.of("PutObject", "DeleteObject", "AbortMultipartUpload");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        DIR + "/pin.json",
        DIR + "/witness.jsonl",
        DIR + "/backfill-report.json",
        DIR + "/running.json",
        DIR + "/",
        "orders/flink/checkpoints/1/chk-1/_metadata",
        "orders/flink/ha/1",
        "other/verdict.json"
      })
  void changesNothingOfTheCopy(String key) {
    assertThat(thatChange()).noneMatch(action -> may(action, key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"verdict.json", "verdict.html", "verdict-20261130T1.json", "differences.jsonl"})
  void writesAndReadsItsVerdict(String file) {
    assertThat(may("PutObject", DIR + "/" + file)).isTrue();
    assertThat(may("GetObject", DIR + "/" + file)).isTrue();
  }

  @Test
  void takesBackNoVerdictButOneOfARun() {
    assertThat(may("DeleteObject", DIR + "/verdict-20261130T1.json")).isTrue();
    assertThat(may("DeleteObject", DIR + "/verdict.json")).isFalse();
    assertThat(may("DeleteObject", DIR + "/differences.jsonl")).isFalse();
  }

  @Test
  void readsWhatTheCopyLeftAndNotItsState() {
    assertThat(may("GetObject", DIR + "/pin.json")).isTrue();
    assertThat(may("ListBucket", DIR + "/")).isTrue();
    assertThat(may("GetObject", "orders/flink/savepoints/1/_metadata")).isFalse();
    assertThat(may("ListBucket", "other/")).isFalse();
  }

  @Test
  void keepsItsOwnHighAvailabilityData() {
    assertThat(thatChange()).allMatch(action -> may(action, GATE + "/default/blob/1"));
    assertThat(may("GetObject", GATE + "/default/blob/1")).isTrue();
  }
}
