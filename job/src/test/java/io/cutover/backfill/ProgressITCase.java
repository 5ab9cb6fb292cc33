package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.pin.Pin;
import io.cutover.progress.CopyStanding;
import io.cutover.progress.CopyWatch;
import io.cutover.progress.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.ClusterClientJobClientAdapter;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client sees that is attached to a cluster over its REST address, as flink run is. */
class ProgressITCase {

  private static final Duration SLACK = Duration.ofSeconds(60);
  private static final int EACH = 40;

  @TempDir private Path dir;

  private Cluster cluster;
  private CopyRig rig;
  private Instant t;

  @BeforeEach
  void streamWhoseFirstShardWasSplit() {
    cluster = new Cluster(2, 1);
    rig = new CopyRig(dir, 2, 2);
    t = rig.now();
    Duration step = Duration.ofMinutes(1);
    Instant split = t.minus(Duration.ofHours(2));
    List<EmulatedShard> roots = rig.stream().shards();
    rig.producer().fill(roots.get(0).id(), EACH, split.minus(Duration.ofHours(1)), step);
    rig.producer().fill(roots.get(1).id(), EACH, split, step);
    for (EmulatedShard child : rig.stream().split(roots.get(0).id(), split)) {
      rig.producer().fill(child.id(), EACH, split, step);
    }
    // Until the server's clock passes T + slack the copy waits, with three shards at their tips.
    rig.kinesis().clock().freeze(t.plus(SLACK).minusMillis(1));
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
    cluster.close();
  }

  private JobClient attached(JobID job) throws Exception {
    URI rest = cluster.mini().getRestAddress().get(30, TimeUnit.SECONDS);
    Configuration config = new Configuration();
    config.set(RestOptions.ADDRESS, rest.getHost());
    config.set(RestOptions.PORT, rest.getPort());
    return new ClusterClientJobClientAdapter<>(
        () -> {
          try {
            return new RestClusterClient<>(config, "test");
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        job,
        getClass().getClassLoader());
  }

  private static CopyStanding heard(CopyWatch watch, JobClient client) throws Exception {
    return watch.heard(client.getAccumulators().get(30, TimeUnit.SECONDS));
  }

  @Test
  void progressReachesTheClientWhileTheCopyRunsAndAtItsEnd() throws Exception {
    Pin pin = rig.job(t).terms().pin();
    JobClient client = attached(cluster.submit(rig.graph(t, 2)));
    CopyWatch watch = new CopyWatch(pin, InstantSource.system());

    double share = waitingShare(pin);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(heard(watch, client).share()).isCloseTo(share, within(1e-9)));
    assertThat(heard(watch, client).extent()).isEqualTo("1/4 shards");

    rig.kinesis().clock().advance(Duration.ofSeconds(1));
    StringWriter out = new StringWriter();
    new Progress(client, watch, new PrintWriter(out), false).untilEnd();
    rig.assertExact(t);
    assertThat(out.toString().lines().toList())
        .last()
        .asString()
        .startsWith("100.0 % of [start, T) passed; 4 of 4 shards done; ")
        .endsWith(" 0:00:00 left; nothing expires before it is read");
  }

  /** Everything is read; each of the open shards stands at its last record. */
  private double waitingShare(Pin pin) {
    Instant last = t.minus(Duration.ofHours(2)).plus(Duration.ofMinutes(EACH - 1));
    return (double) Duration.between(pin.start(), last).toMillis()
        / Duration.between(pin.start(), t).toMillis();
  }

  @Test
  void restartIsToldAndTakesNothingBack() throws Exception {
    Pin pin = rig.job(t).terms().pin();
    JobClient client = attached(cluster.submit(rig.graph(t, 2)));
    CopyWatch watch = new CopyWatch(pin, InstantSource.system());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> heard(watch, client).share() >= waitingShare(pin) - 1e-9);
    CopyStanding before = heard(watch, client);

    cluster.mini().terminateTaskManager(0).get(30, TimeUnit.SECONDS);
    cluster.mini().startTaskManager();

    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              CopyStanding now = heard(watch, client);
              assertThat(now.share()).isGreaterThanOrEqualTo(before.share());
              assertThat(now.shardsDone()).isGreaterThanOrEqualTo(before.shardsDone());
              now.recordsPerSecond().ifPresent(rate -> assertThat(rate).isNotNegative());
              return now.restarts() == 1;
            });
    rig.kinesis().clock().advance(Duration.ofSeconds(1));
    client.getJobExecutionResult().get(120, TimeUnit.SECONDS);
    rig.assertExact(t);
  }
}
