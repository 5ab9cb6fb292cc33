package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.local.kinesis.ReadStyle.Lag;
import io.cutover.local.kinesis.ReadStyle.TrimmedPosition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where records are lost to the copy it fails for good, says which, and reports nothing. */
class LossITCase {

  private static final Duration LONGER_THAN_SLACK = Duration.ofMinutes(5);
  private static final int PAGE = 10;

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

  static List<ReadStyle> styles() {
    return List.of(
        ReadStyle.AWS.trimmedPosition(TrimmedPosition.EMPTY_PAGES),
        ReadStyle.AWS.trimmedPosition(TrimmedPosition.JUMP_TO_HORIZON),
        ReadStyle.AWS.trimmedPosition(TrimmedPosition.JUMP_TO_HORIZON).lag(Lag.ALWAYS_ZERO),
        ReadStyle.AWS.trimmedPosition(TrimmedPosition.REFUSE));
  }

  @ParameterizedTest
  @MethodSource("styles")
  void readingThatRetentionOvertakesFailsWithTheLostSpan(ReadStyle style) throws Exception {
    try (HalfRead half = new HalfRead(style)) {
      JobGraph graph = half.graph();
      half.beforeTheEnd(() -> half.rig.kinesis().clock().advance(Duration.ofDays(15)));

      half.assertSaysWhatIsLost(cluster.runToRefusal(graph).getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("styles")
  void savepointThatRetentionOvertookFailsWithTheLostSpan(ReadStyle style) throws Exception {
    try (HalfRead half = new HalfRead(style)) {
      JobID first = cluster.submit(half.graph());
      half.awaitPages(3);
      String savepoint =
          cluster
              .mini()
              .stopWithSavepoint(
                  first, dir.resolve("savepoint").toString(), false, SavepointFormatType.CANONICAL)
              .get(60, TimeUnit.SECONDS);
      half.rig.kinesis().clock().advance(Duration.ofDays(15));
      half.rig.kinesis().faults().clear();
      JobGraph second = half.graph();
      second.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));

      half.assertSaysWhatIsLost(cluster.runToRefusal(second).getMessage());
    }
  }

  @Test
  void shardThatVanishesWhileItIsReadFailsWithTheLostSpan() throws Exception {
    try (HalfRead half = new HalfRead(ReadStyle.AWS)) {
      JobGraph graph = half.graph();
      half.beforeTheEnd(() -> half.rig.stream().vanish(half.shard));

      half.assertSaysWhatIsLost(cluster.runToRefusal(graph).getMessage());
    }
  }

  @Test
  void shardThatVanishesBeforeItIsReadFailsTheJobByName() throws Exception {
    try (HalfRead half = new HalfRead(ReadStyle.AWS)) {
      List<EmulatedShard> children =
          half.rig.stream().split(half.shard, half.t.minus(Duration.ofHours(1)));
      half.rig.producer().put(children.get(1).id(), "k", "v", half.t.minusSeconds(1));
      JobGraph graph = half.graph();
      half.beforeTheEnd(() -> half.rig.stream().vanish(children.get(1).id()));

      assertThat(cluster.runToRefusal(graph)).hasMessageContaining(children.get(1).id());
      assertThat(half.rig.reportIfAny()).isEmpty();
    }
  }

  /** One shard, slow to read, whose older half a leap of fifteen days trims. */
  private final class HalfRead implements AutoCloseable {
    final CopyRig rig = new CopyRig(dir, 1, 2);
    final String shard = rig.stream().shards().get(0).id();
    final Instant t = rig.now().minus(LONGER_THAN_SLACK);

    HalfRead(ReadStyle style) {
      rig.producer().fill(shard, 200, t.minus(Duration.ofDays(19)), Duration.ofMinutes(1));
      rig.producer().fill(shard, 200, t.minus(Duration.ofDays(1)), Duration.ofMinutes(1));
      rig.stream().readStyle(style.pageRecords(PAGE));
      rig.kinesis().faults().on("GetRecords").delay(Duration.ofMillis(100));
    }

    JobGraph graph() {
      return rig.graph(t, 1);
    }

    /** Does it on a thread of its own when a few pages were read. */
    void beforeTheEnd(Runnable leap) {
      Thread thread =
          new Thread(
              () -> {
                awaitPages(3);
                leap.run();
              });
      thread.setDaemon(true);
      thread.start();
    }

    void awaitPages(int count) {
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> pages() >= count);
    }

    private long pages() {
      return rig.kinesis().calls().stream().filter(call -> call.records() > 0).count();
    }

    /** The shard, the last record that was read, and an arrival from which on records are lost. */
    void assertSaysWhatIsLost(String message) {
      assertThat(message).contains(shard);
      assertThat(rig.stream().shard(shard).records())
          .as("the last record of a page is named in: %s", message)
          .anyMatch(
              record ->
                  message.contains(record.sequenceNumber())
                      && message.contains(record.arrival().toString()));
      assertThat(rig.contents().size()).isLessThan(200);
      assertThat(rig.reportIfAny()).isEmpty();
    }

    @Override
    public void close() {
      rig.close();
    }
  }
}
