package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.backfill.LineageCopyITCase.Reshards;
import io.cutover.report.BackfillReport;
import io.cutover.report.WitnessFile;
import io.cutover.source.LineageOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a copy says of itself is the same, byte for byte, however it was run: the whole witness, and
 * all of the report but what it tells of the runs. The stream goes on behind T, so that where pages
 * and restarts cut it would show.
 */
class EqualBytesITCase {

  private static final int PARTITIONS = 4;

  private static Cluster cluster;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(2, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  /** The files of one run. */
  private record Told(String copy, String witness) {

    static Told of(Path folder) throws IOException {
      ObjectMapper json = new ObjectMapper();
      ObjectNode report = (ObjectNode) json.readTree(folder.resolve(BackfillReport.FILE).toFile());
      assertThat(report.remove("run")).isNotNull();
      return new Told(
          json.writerWithDefaultPrettyPrinter().writeValueAsString(report),
          Files.readString(folder.resolve(WitnessFile.NAME)));
    }
  }

  @Test
  void reportAndWitnessDoNotDependOnHowTheCopyWasRun() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, PARTITIONS)) {
      rig.set("source.shard.get-records.max-record-count", "70");
      Instant t = write(rig);
      rig.pin(t);

      cluster.run(into(rig, "alone", t, 1, new Sabotage() {}));
      Told alone = Told.of(dir.resolve("alone"));
      rig.assertExact(t);
      WitnessOracle.assertWitness(
          dir.resolve("alone").resolve(WitnessFile.NAME),
          rig.producer().written(),
          rig.job(t).terms().pin().id(),
          t,
          Duration.ofHours(1));

      empty(rig);
      rig.set("source.shard.get-records.max-record-count", "33");
      cluster.run(into(rig, "many", t, 4, new Sabotage() {}));
      assertThat(Told.of(dir.resolve("many"))).isEqualTo(alone);

      empty(rig);
      rig.set("source.shard.get-records.max-record-count", "51");
      Failing failing = new Failing(200, 700, 1100);
      cluster.run(into(rig, "failing", t, 3, failing));
      assertThat(failing.failures).hasValue(3);
      assertThat(Told.of(dir.resolve("failing"))).isEqualTo(alone);

      empty(rig);
      rescaled(rig, t);
      assertThat(Told.of(dir.resolve("rescaled"))).isEqualTo(alone);
      rig.assertExact(t);
    }
  }

  private void rescaled(CopyRig rig, Instant t) throws Exception {
    AtomicLong records = new AtomicLong();
    Sabotage counting =
        new Sabotage() {
          @Override
          public void record(LineageOutput output, int subtask) {
            records.incrementAndGet();
          }
        };
    var slow = rig.kinesis().faults().on("GetRecords").delay(Duration.ofMillis(150));
    JobID job = cluster.submit(into(rig, "rescaled", t, 2, counting));
    await().atMost(Duration.ofMinutes(1)).until(() -> records.get() > 400);
    String savepoint =
        cluster
            .mini()
            .stopWithSavepoint(
                job, dir.resolve("sp").toUri().toString(), false, SavepointFormatType.CANONICAL)
            .get(60, TimeUnit.SECONDS);
    slow.remove();
    JobGraph wider = into(rig, "rescaled", t, 3, counting);
    wider.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
    cluster.run(wider);
  }

  /** Fails when so many records have come out, over all attempts. */
  private static final class Failing implements Sabotage {
    private final int[] moments;
    private final AtomicLong records = new AtomicLong();
    private final AtomicInteger failures = new AtomicInteger();

    Failing(int... moments) {
      this.moments = moments;
    }

    @Override
    public void record(LineageOutput output, int subtask) {
      int next = failures.get();
      if (next < moments.length
          && records.incrementAndGet() >= moments[next]
          && failures.compareAndSet(next, next + 1)) {
        throw Sabotage.failure("at record " + moments[next]);
      }
    }
  }

  private JobGraph into(CopyRig rig, String folder, Instant t, int parallelism, Sabotage sabotage) {
    rig.set("cutover.dir", dir.resolve(folder).toUri().toString());
    return rig.graph(t, parallelism, Sabotage.behindCommit(sabotage));
  }

  /** The same topic, so the same pin. */
  private static void empty(CopyRig rig) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", rig.broker().bootstrapServers()))) {
      Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
      IntStream.range(0, PARTITIONS)
          .forEach(
              p -> all.put(new TopicPartition(rig.topic(), p), RecordsToDelete.beforeOffset(-1)));
      admin.deleteRecords(all).all().get(30, TimeUnit.SECONDS);
    }
    assertThat(rig.contents()).isEmpty();
  }

  private static Instant write(CopyRig rig) {
    Instant t = rig.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    new Reshards(rig.producer(), t, 1500).write();
    // Live traffic behind T, past the slack too, more of it than a page takes.
    rig.stream()
        .openShards()
        .forEach(
            shard -> rig.producer().fill(shard.id(), 300, t.plusSeconds(5), Duration.ofSeconds(1)));
    return t;
  }
}
