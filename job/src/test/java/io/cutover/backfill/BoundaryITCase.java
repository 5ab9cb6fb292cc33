package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.rig.CopyOracle;
import io.cutover.rig.Producer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What belongs to the copy and what does not, and when a shard's reading ends. */
class BoundaryITCase {

  private static final Duration SLACK = Duration.ofSeconds(60);
  private static final Duration LONGER_THAN_SLACK = Duration.ofMinutes(10);
  private static final Duration STEP = Duration.ofMillis(100);

  private static Cluster cluster;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(1, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @Test
  void reshardAroundTIsCopiedUpToTOnBothSidesOfIt() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      Producer producer = rig.producer();
      String closedBefore = rig.stream().shards().get(0).id();
      String closedAfter = rig.stream().shards().get(1).id();
      Instant before = t.minusMillis(500);
      Instant after = t.plusMillis(500);
      producer.fill(closedBefore, 20, before.minus(STEP.multipliedBy(20)), STEP);
      rig.stream()
          .split(closedBefore, before)
          .forEach(s -> producer.fill(s.id(), 20, before, STEP));
      producer.fill(closedAfter, 20, after.minus(STEP.multipliedBy(20)), STEP);
      for (EmulatedShard child : rig.stream().split(closedAfter, after)) {
        producer.fill(child.id(), 5, after, STEP);
        // Arrival is not exact: younger in the lineage, older by the clock.
        producer.fill(child.id(), 5, t.minusMillis(450), STEP);
      }

      cluster.run(rig.graph(t, 2));

      rig.assertExact(t);
      assertThat(rig.report().path("totals").path("skipped").asInt())
          .isEqualTo(producer.written().size() - rig.contents().size());
    }
  }

  @Test
  void shardsOpenedAfterTAreNotCopiedAndThoseClosedAfterTOnlyUpToT() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      Producer producer = rig.producer();
      Instant split = t.plus(SLACK).plusSeconds(30);
      String busy = rig.stream().shards().get(0).id();
      String quiet = rig.stream().shards().get(1).id();
      producer.fill(busy, 30, t.minusSeconds(1), Duration.ofSeconds(3));
      producer.fill(quiet, 10, t.minusSeconds(1), STEP);
      List<EmulatedShard> ofBusy = rig.stream().split(busy, split);
      List<EmulatedShard> ofQuiet = rig.stream().split(quiet, split);
      ofBusy.forEach(s -> producer.fill(s.id(), 10, split, STEP));
      producer.fill(ofQuiet.get(0).id(), 10, split, STEP);

      cluster.run(rig.graph(t, 2));

      rig.assertExact(t);
      assertThat(stop(rig, busy)).isEqualTo("BOUNDARY");
      assertThat(stop(rig, quiet)).isEqualTo("CLOSED");
      assertThat(stop(rig, ofQuiet.get(0).id())).isEqualTo("BOUNDARY");
      assertThat(stop(rig, ofQuiet.get(1).id())).isEqualTo("TIP");
      for (EmulatedShard unread : ofBusy) {
        assertThat(stop(rig, unread.id())).isEqualTo("UNREAD");
        assertThat(rig.kinesis().calls())
            .noneMatch(call -> call.shardId().equals(Optional.of(unread.id())));
      }
    }
  }

  @Test
  void openShardWithoutTrafficEndsWhenTheServersClockHasPassedTPlusSlackNotBefore()
      throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, 2)) {
      String shard = rig.stream().shards().get(0).id();
      Instant t = rig.now();
      rig.producer().fill(shard, 10, t.minusSeconds(60), STEP);
      rig.set("boundary.slack", "2 s");

      cluster.run(rig.graph(t, 2));

      rig.assertExact(t);
      for (EmulatedShard each : rig.stream().shards()) {
        assertThat(stop(rig, each.id())).isEqualTo("TIP");
        List<Call> pages = pages(rig, each.id());
        assertThat(pages.get(pages.size() - 1).at()).isAfterOrEqualTo(t.plusSeconds(2));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-10, 10})
  void clientsClockDecidesNothing(int minutesAhead) throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      rig.kinesis().clock().setOffset(Duration.ofMinutes(minutesAhead));
      String shard = rig.stream().shards().get(0).id();
      Instant t = rig.now();
      rig.producer().fill(shard, 10, t.minusSeconds(60), STEP);
      // The server's clock stands a moment before T + slack.
      rig.kinesis().clock().freeze(t.plus(SLACK).minusMillis(1));

      JobID job = cluster.submit(rig.graph(t, 1));
      awaitPages(rig, shard, 5);
      rig.producer().put(shard, "late", "shows late, arrived before T", t.minusMillis(1));
      awaitPages(rig, shard, pages(rig, shard).size() + 5);
      assertThat(rig.reportIfAny()).isEmpty();
      rig.kinesis().clock().advance(Duration.ofSeconds(1));
      cluster.await(job).toJobExecutionResult(getClass().getClassLoader());

      rig.assertExact(t);
      assertThat(stop(rig, shard)).isEqualTo("TIP");
    }
  }

  @Test
  void recordsFromTOnAmongCopiedOnesAreSkippedAndEnteredInTheLedger() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      String shard = rig.stream().shards().get(0).id();
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      for (long millis : new long[] {-9000, -1, 0, -8000, 59_999, -7000, 1}) {
        rig.producer().put(shard, "k", "arrived " + millis, t.plusMillis(millis));
      }

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
      JsonNode ledger = ledger(rig, shard);
      assertThat(ledger.path("records").asInt()).isEqualTo(4);
      assertThat(ledger.path("skipped").asInt()).isEqualTo(3);
      assertThat(ledger.path("firstSkipped").path("sequence").asText())
          .isEqualTo(rig.producer().written().get(2).sequence());
      assertThat(ledger.path("firstSkipped").path("arrival").asText()).isEqualTo(t.toString());
      assertThat(ledger.path("last").path("sequence").asText())
          .isEqualTo(rig.producer().written().get(6).sequence());
    }
  }

  @Test
  void stragglerBehindARecordPastTPlusSlackIsNotCopiedAndTheLedgerSaysWhereReadingStopped()
      throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      String shard = rig.stream().shards().get(0).id();
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      rig.producer().fill(shard, 9, t.minusSeconds(1), STEP);
      rig.producer().put(shard, "past", "ends the shard", t.plus(SLACK));
      rig.producer().put(shard, "late", "straggler", t.minusMillis(1));
      rig.stream().readStyle(ReadStyle.AWS.pageRecords(10));

      cluster.run(rig.graph(t, 1));

      CopyOracle.assertExact(
          rig.contents(), rig.producer().written().subList(0, 10), rig.stream(), t, 2);
      assertThat(stop(rig, shard)).isEqualTo("BOUNDARY");
      assertThat(ledger(rig, shard).path("last").path("sequence").asText())
          .isEqualTo(rig.producer().written().get(9).sequence());
    }
  }

  @Test
  void emptyShardsOpenAndClosedEndLikeAnyOther() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 3, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      List<String> roots = rig.stream().shards().stream().map(EmulatedShard::id).toList();
      List<EmulatedShard> children = rig.stream().split(roots.get(0), t.minus(Duration.ofDays(2)));
      EmulatedShard merged =
          rig.stream().merge(children.get(1).id(), roots.get(1), t.minus(Duration.ofDays(1)));
      rig.producer().fill(merged.id(), 10, t.minusSeconds(60), STEP);

      cluster.run(rig.graph(t, 2));

      rig.assertExact(t);
      assertThat(rig.report().path("shards")).hasSize(6);
      for (String closed : List.of(roots.get(0), roots.get(1), children.get(1).id())) {
        assertThat(stop(rig, closed)).isEqualTo("CLOSED");
      }
    }
  }

  @Test
  void streamWithoutARecordIsACompleteCopyOfNothing() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);

      cluster.run(rig.graph(t, 2));

      assertThat(rig.contents()).isEmpty();
      assertThat(rig.report().path("totals").path("records").asInt()).isZero();
    }
  }

  @Test
  void parentsThatHaveExpiredFromTheListingHoldNothingUp() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      String expired = rig.stream().shards().get(0).id();
      Instant split = t.minus(Duration.ofDays(10));
      rig.producer().fill(expired, 10, split.minus(Duration.ofDays(1)), STEP);
      List<EmulatedShard> children = rig.stream().split(expired, split);
      Instant merge = t.minus(Duration.ofDays(2));
      int retained = rig.producer().written().size();
      children.forEach(s -> rig.producer().fill(s.id(), 10, merge.minus(Duration.ofDays(1)), STEP));
      EmulatedShard merged = rig.stream().merge(children.get(0).id(), children.get(1).id(), merge);
      rig.producer().fill(merged.id(), 10, merge, STEP);
      rig.stream().retention(Duration.ofDays(5));

      cluster.run(rig.graph(t, 2));

      List<Producer.Written> written = rig.producer().written();
      CopyOracle.assertExact(
          rig.contents(), written.subList(retained, written.size()), rig.stream(), t, 2);
      assertThat(rig.report().path("shards")).hasSize(3);
    }
  }

  private static JsonNode ledger(CopyRig rig, String shard) {
    for (JsonNode ledger : rig.report().path("shards")) {
      if (ledger.path("shard").asText().equals(shard)) {
        return ledger;
      }
    }
    throw new AssertionError("no ledger of " + shard + " in " + rig.report());
  }

  private static String stop(CopyRig rig, String shard) {
    return ledger(rig, shard).path("stop").asText();
  }

  private static void awaitPages(CopyRig rig, String shard, int count) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> pages(rig, shard).size() >= count);
  }

  private static List<Call> pages(CopyRig rig, String shard) {
    return rig.kinesis().calls().stream()
        .filter(c -> c.action().equals("GetRecords") && c.shardId().equals(Optional.of(shard)))
        .toList();
  }
}
