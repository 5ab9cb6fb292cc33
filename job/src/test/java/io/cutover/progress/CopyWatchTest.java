package io.cutover.progress;

import static io.cutover.progress.Histories.FIRST;
import static io.cutover.progress.Histories.RETENTION;
import static io.cutover.progress.Histories.shard;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.progress.ShardReached.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the counts come to in a person's words. */
class CopyWatchTest {

  /** Two days before the oldest record expires. */
  private Instant now = FIRST.plus(RETENTION).minus(Duration.ofHours(48));

  private final CopyWatch watch =
      new CopyWatch(
          Histories.pin(List.of(shard("half", 0, 32), shard("other", 32, 64))), () -> now);

  private CopyStanding heard(int attempt, long records, double hoursInHalf, Stage stage) {
    Instant far = FIRST.plusSeconds((long) (hoursInHalf * 3600));
    Map<String, ShardReached> positions = new HashMap<>();
    positions.put("half", new ShardReached(far.toEpochMilli(), stage));
    positions.put("other", new ShardReached(FIRST.toEpochMilli(), Stage.READ));
    return watch.heard(
        Map.of(
            CopyCounters.ATTEMPT, attempt,
            CopyCounters.RECORDS, records,
            CopyCounters.BYTES, records * 1000,
            CopyCounters.POSITIONS, positions));
  }

  @Test
  void beforeAnyTaskHasSpokenNothingIsKnown() {
    assertThat(watch.heard(Map.of()).line())
        .isEqualTo(
            "0.0 % of [start, T) passed; 0 of 2 shards done; ? records/s, ? MB/s; unknown time"
                + " left; oldest unread record expires in 48.0 h");
  }

  @Test
  void lineSaysHowFarHowFastAndHowLong() {
    heard(0, 0, 0, Stage.READ);
    now = now.plusSeconds(10);
    assertThat(heard(0, 25_000, 20, Stage.READ).line())
        .isEqualTo(
            "10.0 % of [start, T) passed; 0 of 2 shards done; 2,500 records/s, 2.5 MB/s; 0:01:30"
                + " left; oldest unread record expires in 48.0 h");
    now = now.plusSeconds(10);
    assertThat(heard(0, 50_000, 40, Stage.DONE).line())
        .isEqualTo(
            "50.0 % of [start, T) passed; 1 of 2 shards done; 2,500 records/s, 2.5 MB/s; 0:00:20"
                + " left; oldest unread record expires in 48.0 h");
  }

  @Test
  void restartIsSaidAndShowsNoNegativeRateNorAShareThatJumpsBack() {
    heard(0, 0, 0, Stage.READ);
    now = now.plusSeconds(10);
    heard(0, 90_000, 50, Stage.READ);
    now = now.plusSeconds(10);
    // The new tasks have not spoken yet.
    assertThat(watch.heard(Map.of()).restarts()).isZero();
    now = now.plusSeconds(10);
    CopyStanding restarted = heard(1, 100, 40, Stage.READ);
    assertThat(restarted.share()).isEqualTo(0.25);
    assertThat(restarted.recordsPerSecond()).isEmpty();
    assertThat(restarted.line()).contains("; ? records/s, ").endsWith("; restarted 1 time");
    now = now.plusSeconds(10);
    CopyStanding on = heard(1, 10_100, 60, Stage.READ);
    assertThat(on.recordsPerSecond()).hasValue(1000);
    assertThat(on.restarts()).isEqualTo(1);
  }

  @Test
  void countThatGrewBeyondTheOldOneBeforeTheNextLookStillBeginsAnew() {
    heard(0, 0, 0, Stage.READ);
    now = now.plusSeconds(10);
    heard(0, 100, 1, Stage.READ);
    now = now.plusSeconds(10);
    assertThat(heard(1, 5_000, 2, Stage.READ).recordsPerSecond()).isEmpty();
  }
}
