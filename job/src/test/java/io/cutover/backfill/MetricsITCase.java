package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutover.kpl.KplBlob;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a metric reporter on the cluster sees of a copy, by name. */
class MetricsITCase {

  private static final Duration SLACK = Duration.ofSeconds(60);
  private static final Duration SINCE_LAST = Duration.ofMinutes(10);
  private static final int PLAIN = 30;
  private static final int MEMBERS = 5;
  private static final int SKIPPED = 4;
  private static final String OPERATOR = "Source: kinesis lineage";
  private static final String OF_STREAM =
      OPERATOR + ".KinesisStreamSource.stream." + CopyRig.STREAM;

  @TempDir private Path dir;

  private final InMemoryReporter reporter = InMemoryReporter.createWithRetainedMetrics();
  private Cluster cluster;
  private CopyRig rig;
  private Instant t;
  private String busy;
  private String quiet;
  private byte[] malformed;

  @BeforeEach
  void streamOfEverythingThatIsCounted() {
    cluster = new Cluster(1, 2, reporter.addToConfiguration(new Configuration()));
    rig = new CopyRig(dir, 2, 2);
    t = rig.now();
    busy = rig.stream().shards().get(0).id();
    quiet = rig.stream().shards().get(1).id();
    malformed = KplBlob.malformed().get("wrong MD5");
    Instant last = t.minus(SINCE_LAST);
    rig.producer().fill(busy, PLAIN, last.minusSeconds(PLAIN), Duration.ofSeconds(1));
    rig.producer().blob(busy, malformed, last);
    rig.producer().aggregate(busy, members(), last);
    rig.producer().fill(quiet, 1, last.minus(Duration.ofHours(1)), Duration.ofSeconds(1));
    rig.producer().fill(quiet, SKIPPED, t, Duration.ofSeconds(1));
    rig.kinesis().faults().on("GetRecords").shard(busy).times(2).throttle();
    // Until the server's clock passes T + slack the copy waits, with both shards at their tips.
    rig.kinesis().clock().freeze(t.plus(SLACK).minusMillis(1));
  }

  private static List<KplBlob.Member> members() {
    return Stream.iterate(0, i -> i + 1)
        .limit(MEMBERS)
        .map(i -> new KplBlob.Member("k" + i, Optional.empty(), new byte[100]))
        .toList();
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
    cluster.close();
  }

  @Test
  void everythingIsCountedUnderItsName() throws Exception {
    JobID job = cluster.submit(rig.graph(t, 2));
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(sum(OF_STREAM + ".skipped")).isEqualTo(SKIPPED));
    await().untilAsserted(() -> assertThat(sum(OF_STREAM + ".aggregates")).isEqualTo(1));
    awaitGauge(shard(busy, "millisBehindBoundary"), SINCE_LAST.toMillis());
    awaitGauge(shard(quiet, "millisBehindBoundary"), 0);
    awaitGauge(shard(busy, "millisBehindLatest"), 0);

    rig.kinesis().clock().advance(Duration.ofSeconds(1));
    cluster.await(job).toJobExecutionResult(getClass().getClassLoader());

    rig.assertExact(t);
    long copied = PLAIN + 1 + MEMBERS + 1;
    assertThat(sum(OF_STREAM + ".records")).isEqualTo(copied);
    assertThat(sum(OF_STREAM + ".bytes"))
        .isEqualTo(rig.report().path("totals").path("bytes").asLong());
    assertThat(sum(OF_STREAM + ".skipped")).isEqualTo(SKIPPED);
    assertThat(sum(OF_STREAM + ".aggregates")).isEqualTo(1);
    assertThat(sum(OF_STREAM + ".malformed")).isEqualTo(1);
    assertThat(sum(OF_STREAM + ".throttles")).isEqualTo(2);
    awaitGauge(shard(busy, "millisBehindBoundary"), 0);
    assertThat(gauges(OF_STREAM + ".retentionHeadroomMillis")).containsOnly(Long.MAX_VALUE);
  }

  @Test
  void standardMetricsOfASourceCountUserRecordsAndServedBytes() throws Exception {
    JobID job = cluster.submit(rig.graph(t, 2));
    rig.kinesis().clock().advance(Duration.ofSeconds(1));
    cluster.await(job).toJobExecutionResult(getClass().getClassLoader());

    assertThat(sum(OPERATOR + ".numRecordsIn")).isEqualTo(PLAIN + 1 + MEMBERS + 1 + SKIPPED);
    assertThat(sum(OPERATOR + ".numBytesIn")).isEqualTo(served());
    assertThat(sum(OPERATOR + ".numRecordsInErrors")).isEqualTo(1);
    assertThat(gauges(OPERATOR + ".currentFetchEventTimeLag"))
        .hasSize(2)
        .anyMatch(lag -> lag >= SINCE_LAST.toMillis());
    assertThat(gauges(OPERATOR + ".currentEmitEventTimeLag")).hasSize(2);
    assertThat(gauges(OPERATOR + ".sourceIdleTime")).hasSize(2);
    assertThat(metrics("pendingRecords")).isEmpty();
    assertThat(metrics("pendingBytes")).isEmpty();
  }

  @Test
  void headroomIsThatOfTheShardThatIsClosestToExpiry() throws Exception {
    JobID job = cluster.submit(rig.graph(t, 2));
    Duration left = Duration.ofDays(30);
    // At the tip everything is read, whatever the last record's age.
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(gauges(OF_STREAM + ".retentionHeadroomMillis"))
                    .hasSize(2)
                    .containsOnly(left.toMillis()));
    rig.kinesis().clock().advance(Duration.ofSeconds(1));
    cluster.await(job).toJobExecutionResult(getClass().getClassLoader());
  }

  private long served() {
    long aggregate = KplBlob.of(members()).length;
    long plain =
        rig.producer().written().stream()
            .filter(written -> written.subSequence().isEmpty())
            .mapToLong(written -> written.data().length)
            .sum();
    return aggregate + plain;
  }

  private static String shard(String id, String gauge) {
    return OF_STREAM + ".shardId." + id + "." + gauge;
  }

  private void awaitGauge(String name, long value) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(gauges(name)).containsExactly(value));
  }

  /** Of all subtasks, those whose identifier, the subtask's number left out, ends so. */
  private List<Metric> metrics(String name) {
    return reporter.getMetricsByGroup().entrySet().stream()
        .flatMap(
            group ->
                group.getValue().entrySet().stream()
                    .filter(
                        metric ->
                            group
                                .getKey()
                                .getMetricIdentifier(metric.getKey())
                                .replaceAll("(kinesis lineage)\\.[0-9]+", "$1")
                                .endsWith(name)))
        .map(Map.Entry::getValue)
        .toList();
  }

  private long sum(String name) {
    return metrics(name).stream().mapToLong(metric -> ((Counter) metric).getCount()).sum();
  }

  private List<Long> gauges(String name) {
    return metrics(name).stream()
        .map(metric -> ((Gauge<?>) metric).getValue())
        .map(Long.class::cast)
        .toList();
  }
}
