package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.local.kinesis.ReadStyle.EndIterator;
import io.cutover.local.kinesis.ReadStyle.Lag;
import io.cutover.rig.Producer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Kinesis does to a reader that is no loss: the copy is exact all the same. */
class FaultITCase {

  private static final Duration STEP = Duration.ofMinutes(1);
  private static final Duration LONGER_THAN_SLACK = Duration.ofMinutes(5);

  private static Cluster cluster;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(1, 3);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @Test
  void iteratorThatOutlivedItsFiveMinutesIsReplacedBehindTheLastRecordRead() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      String shard = rig.stream().shards().get(0).id();
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      rig.producer().fill(shard, 300, t.minus(Duration.ofDays(1)), STEP);
      rig.stream().readStyle(ReadStyle.AWS.pageRecords(10));
      rig.kinesis().faults().on("GetRecords").delay(Duration.ofMillis(30));

      JobID job = cluster.submit(rig.graph(t, 1));
      awaitPages(rig, shard, 3);
      rig.kinesis().clock().advance(Duration.ofMinutes(6));
      awaitPages(rig, shard, 6);
      rig.kinesis().clock().advance(Duration.ofMinutes(6));
      cluster.await(job).toJobExecutionResult(getClass().getClassLoader());

      rig.assertExact(t);
      assertThat(calls(rig, c -> c.outcome().equals("ExpiredIteratorException"))).hasSize(2);
      assertThat(calls(rig, c -> c.action().equals("GetShardIterator")))
          .extracting(call -> call.position().orElseThrow().split(" ")[0])
          .containsExactly("TRIM_HORIZON", "AFTER_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER");
    }
  }

  @Test
  void iteratorsThatAreExpiredWhenGivenAreAskedForUntilOneIsGood() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      String shard = rig.stream().shards().get(0).id();
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      rig.producer().fill(shard, 100, t.minus(Duration.ofDays(1)), STEP);
      rig.stream().readStyle(ReadStyle.AWS.pageRecords(10));
      rig.kinesis().faults().on("GetRecords").times(2).expiredIterator();
      rig.kinesis().faults().on("GetRecords").after(5).times(2).expiredIterator();

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
    }
  }

  @Test
  void throttledShardBacksOffAloneWhileItsSiblingsAreReadToTheirEnds() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 3, 2)) {
      List<String> shards = rig.stream().shards().stream().map(EmulatedShard::id).toList();
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      shards.forEach(s -> rig.producer().fill(s, 100, t.minus(Duration.ofDays(1)), STEP));
      rig.stream().readStyle(ReadStyle.AWS.pageRecords(10));
      String throttled = shards.get(0);
      var fault = rig.kinesis().faults().on("GetRecords").shard(throttled).times(5).throttle();

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
      assertThat(fault.hits()).isEqualTo(5);
      List<Call> pages = calls(rig, c -> c.action().equals("GetRecords") && c.ok());
      List<Optional<String>> order = pages.stream().map(Call::shardId).toList();
      int begun = order.indexOf(Optional.of(throttled));
      for (String sibling : shards.subList(1, 3)) {
        assertThat(order.lastIndexOf(Optional.of(sibling)))
            .as("end of %s", sibling)
            .isBetween(9, begun);
      }
    }
  }

  @Test
  void emptyPagesByTheThousandBeforeTheDataEndNothing() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      rig.stream()
          .shards()
          .forEach(s -> rig.producer().fill(s.id(), 50, t.minus(Duration.ofDays(1)), STEP));
      String shard = rig.stream().shards().get(0).id();
      var fault = rig.kinesis().faults().on("GetRecords").shard(shard).times(2500).emptyPage();

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
      assertThat(fault.hits()).isEqualTo(2500);
    }
  }

  @Test
  void cutConnectionsAndServerErrorsAreOutwaited() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 4, 2)) {
      List<String> shards = rig.stream().shards().stream().map(EmulatedShard::id).toList();
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      shards.forEach(s -> rig.producer().fill(s, 100, t.minus(Duration.ofDays(1)), STEP));
      rig.stream().readStyle(ReadStyle.AWS.pageRecords(10));
      var faults = rig.kinesis().faults();
      var all =
          List.of(
              faults.on("GetRecords").shard(shards.get(0)).after(2).times(3).cutConnection(),
              faults.on("GetRecords").shard(shards.get(1)).after(2).times(3).internalFailure(),
              faults.on("GetRecords").shard(shards.get(2)).after(2).times(3).unavailable503(),
              faults.on("GetShardIterator").shard(shards.get(3)).times(1).cutConnection(),
              faults.on("GetShardIterator").shard(shards.get(3)).times(1).throttle(),
              faults.on("GetShardIterator").shard(shards.get(3)).times(1).internalFailure());

      cluster.run(rig.graph(t, 2));

      rig.assertExact(t);
      assertThat(all).allMatch(fault -> fault.hits() > 0);
    }
  }

  @Test
  void listingThatBreaksOffBetweenItsPagesIsNeverTakenInPart() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 6, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      Instant split = t.minus(Duration.ofDays(1));
      List<EmulatedShard> roots = rig.stream().shards();
      roots.forEach(s -> rig.producer().fill(s.id(), 20, split.minus(STEP.multipliedBy(20)), STEP));
      roots.subList(0, 3).forEach(s -> rig.stream().split(s.id(), split));
      rig.stream().openShards().forEach(s -> rig.producer().fill(s.id(), 20, split, STEP));
      JobGraph graph = rig.graph(t, 2);
      rig.kinesis().clearCalls();
      // Twelve shards, so two of the children stand on the second page.
      rig.stream().listingPage(10);
      // Each strikes the second page of another listing: four times of the first, then of one
      // that comes when the children are known and wait for their parents.
      var faults = rig.kinesis().faults();
      var all =
          List.of(
              faults.on("ListShards").after(1).times(1).expiredNextToken(),
              faults.on("ListShards").after(2).times(1).limitExceeded(),
              faults.on("ListShards").after(3).times(1).cutConnection(),
              faults.on("ListShards").after(4).times(1).unavailable503(),
              faults.on("ListShards").after(7).times(1).expiredNextToken());

      cluster.run(graph);

      rig.assertExact(t);
      assertThat(all).allMatch(fault -> fault.hits() == 1);
      List<String> actions = rig.kinesis().calls().stream().map(Call::action).toList();
      assertThat(calls(rig, call -> call.action().equals("ListShards")).subList(8, 10))
          .as("the first whole listing")
          .allMatch(Call::ok);
      assertThat(actions.subList(0, actions.indexOf("GetShardIterator")))
          .as("listings before the first shard is read")
          .filteredOn("ListShards"::equals)
          .hasSizeGreaterThanOrEqualTo(10);
      assertThat(rig.report().path("totals").path("shards").asInt()).isEqualTo(12);
    }
  }

  /** Servers differ in how they tell the end and the lag; none of that may matter. */
  static List<ReadStyle> styles() {
    ReadStyle small = ReadStyle.AWS.pageRecords(7);
    return List.of(
        small.childShards(false).endIterator(EndIterator.ABSENT),
        small.childShards(false).endIterator(EndIterator.NULL).emptyPagesBeforeEnd(1),
        small.childShards(true).endIterator(EndIterator.ABSENT).emptyPagesBeforeEnd(20),
        small.lag(Lag.LAST_RECORD),
        small.lag(Lag.ALWAYS_ZERO));
  }

  @ParameterizedTest
  @MethodSource("styles")
  void everyStyleOfAnswerComesToTheSameCopy(ReadStyle style) throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      Producer producer = rig.producer();
      List<String> roots = rig.stream().shards().stream().map(EmulatedShard::id).toList();
      roots.forEach(s -> producer.fill(s, 100, t.minus(Duration.ofDays(3)), STEP));
      Instant split = t.minus(Duration.ofDays(2));
      List<EmulatedShard> children = rig.stream().split(roots.get(0), split);
      children.forEach(s -> producer.fill(s.id(), 30, split, STEP));
      Instant merge = t.minus(Duration.ofDays(1));
      EmulatedShard merged = rig.stream().merge(children.get(1).id(), roots.get(1), merge);
      producer.fill(merged.id(), 50, merge, STEP);
      rig.stream().readStyle(style);

      cluster.run(rig.graph(t, 2));

      rig.assertExact(t);
    }
  }

  @Test
  void unknownAnswerFailsTheJobAndIsNotAskedAgain() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      String shard = rig.stream().shards().get(0).id();
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      rig.producer().fill(shard, 10, t.minus(Duration.ofDays(1)), STEP);
      var fault = rig.kinesis().faults().on("GetRecords").times(1).refuse("TeapotException", 418);
      JobGraph graph = rig.graph(t, 1);
      graph.getJobConfiguration().set(RestartStrategyOptions.RESTART_STRATEGY, "disable");

      Throwable failure = cluster.runToFailure(graph);

      assertThat(failure).rootCause().hasMessageContaining("a fault that the test asked for");
      assertThat(failure).hasStackTraceContaining(shard);
      assertThat(fault.hits()).isEqualTo(1);
      assertThat(rig.reportIfAny()).isEmpty();
    }
  }

  private static void awaitPages(CopyRig rig, String shard, int count) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () ->
                calls(rig, c -> c.ok() && c.records() > 0 && c.shardId().equals(Optional.of(shard)))
                        .size()
                    >= count);
  }

  private static List<Call> calls(CopyRig rig, Predicate<Call> which) {
    return rig.kinesis().calls().stream().filter(which).toList();
  }
}
