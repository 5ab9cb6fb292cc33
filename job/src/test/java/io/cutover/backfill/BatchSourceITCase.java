package io.cutover.backfill;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.KplBlob.Member;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.ReleasePolicy;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.rig.Producer;
import io.cutover.source.Admission;
import io.cutover.source.LineageOutput;
import io.cutover.source.LineageSource;
import io.cutover.source.Mark;
import io.cutover.source.ReadStart;
import io.cutover.source.ShardLedger;
import io.cutover.source.StreamLife;
import io.cutover.source.VersionedType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The source alone, as a reader that does not care about order uses it: batch, no checkpoints. */
class BatchSourceITCase {

  private static final Duration STEP = Duration.ofSeconds(1);

  @TempDir private Path dir;

  @Test
  void unorderedBatchReadsEachUserRecordOnceAndNoChildWaitsForItsParent() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 2, 1)) {
      Instant t = rig.now().minus(Duration.ofMinutes(5));
      Producer producer = rig.producer();
      Instant start = t.minus(Duration.ofDays(3));
      String parent = rig.stream().shards().get(0).id();
      String other = rig.stream().shards().get(1).id();
      producer.fill(parent, 200, start, STEP);
      producer.fill(other, 100, start, STEP);
      List<EmulatedShard> children = rig.stream().split(parent, t.minus(Duration.ofDays(2)));
      children.forEach(s -> producer.fill(s.id(), 50, t.minus(Duration.ofDays(1)), STEP));
      producer.aggregate(children.get(0).id(), members(30), t.minusMillis(1));
      producer.put(other, "after", "from T on", t);
      rig.stream().readStyle(ReadStyle.AWS.pageRecords(20));
      rig.kinesis().faults().on("GetRecords").shard(parent).delay(Duration.ofMillis(50));

      List<LineageOutput> outputs = read(rig, ReadStart.TRIM_HORIZON, t);

      assertThat(origins(outputs))
          .containsExactlyInAnyOrderElementsOf(
              producer.written().stream()
                  .filter(w -> w.arrival().isBefore(t))
                  .map(Producer.Written::origin)
                  .toList());
      assertThat(ends(outputs)).hasSize(4).contains(EndReason.CLOSED, EndReason.TIP);
      List<Optional<String>> pages =
          rig.kinesis().calls().stream()
              .filter(call -> call.records() > 0)
              .map(Call::shardId)
              .toList();
      for (EmulatedShard child : children) {
        assertThat(pages.indexOf(Optional.of(child.id())))
            .as("first page of %s before the last of its parent", child.id())
            .isBetween(0, pages.lastIndexOf(Optional.of(parent)));
      }
    }
  }

  /**
   * In each shard: what stands at or behind the first record that arrived at the instant or later.
   */
  @Test
  void readingFromAnInstantEmitsWhatTheServerPromisesOfIt() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 3, 1)) {
      Instant t = rig.now().minus(Duration.ofMinutes(5));
      Instant instant = t.minus(Duration.ofHours(6));
      List<String> roots = rig.stream().shards().stream().map(EmulatedShard::id).toList();
      Producer producer = rig.producer();
      producer.fill(roots.get(0), 50, t.minus(Duration.ofDays(3)), STEP);
      List<EmulatedShard> children = rig.stream().split(roots.get(0), t.minus(Duration.ofDays(2)));
      children.forEach(s -> producer.fill(s.id(), 60, instant.minusSeconds(30), STEP));
      producer.put(roots.get(1), "before", "1", instant.minusMillis(1));
      producer.aggregate(roots.get(1), members(5), instant);
      producer.put(roots.get(1), "younger than the one behind it", "2", instant.plusMillis(7));
      producer.put(roots.get(1), "late, from before the instant", "3", instant.minusSeconds(9));
      producer.put(roots.get(1), "after", "4", t);
      rig.stream().readStyle(ReadStyle.AWS.pageRecords(20));

      List<LineageOutput> outputs = read(rig, ReadStart.at(instant), t);

      assertThat(origins(outputs))
          .containsExactlyInAnyOrderElementsOf(promised(producer.written(), instant, t));
      assertThat(ledgers(outputs)).hasSize(5).containsKeys(children.get(0).id());
      ShardLedger parent = ledgers(outputs).get(roots.get(0));
      assertThat(parent.endReason()).isEqualTo(EndReason.CLOSED);
      assertThat(parent.first()).isEmpty();
      ShardLedger other = ledgers(outputs).get(roots.get(1));
      assertThat(other.first()).map(Mark::arrivalMillis).contains(instant.toEpochMilli());
      assertThat(other.records()).isEqualTo(7);
      assertThat(ledgers(outputs).get(roots.get(2)).endReason()).isEqualTo(EndReason.TIP);
    }
  }

  @Test
  void instantFromBeforeTheHorizonIsTheHorizon() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 1)) {
      Instant t = rig.now().minus(Duration.ofMinutes(5));
      String shard = rig.stream().shards().get(0).id();
      rig.producer().fill(shard, 10, t.minus(Duration.ofDays(3)), STEP);
      Instant horizon = t.minus(Duration.ofDays(3)).plus(STEP.multipliedBy(4));
      rig.stream().trimBefore(horizon);

      List<LineageOutput> outputs = read(rig, ReadStart.at(t.minus(Duration.ofDays(15))), t);

      assertThat(origins(outputs))
          .containsExactlyElementsOf(promised(rig.producer().written(), horizon, t));
      assertThat(ledgers(outputs).get(shard).first())
          .map(Mark::arrivalMillis)
          .contains(horizon.toEpochMilli());
    }
  }

  private static List<String> promised(List<Producer.Written> written, Instant instant, Instant t) {
    Set<String> begun = new HashSet<>();
    List<String> origins = new ArrayList<>();
    for (Producer.Written record : written) {
      if (!record.arrival().isBefore(instant)) {
        begun.add(record.shardId());
      }
      if (begun.contains(record.shardId()) && record.arrival().isBefore(t)) {
        origins.add(record.origin());
      }
    }
    return origins;
  }

  private static Map<String, ShardLedger> ledgers(List<LineageOutput> outputs) {
    return outputs.stream()
        .filter(LineageOutput.ShardEnded.class::isInstance)
        .map(output -> ((LineageOutput.ShardEnded) output).ledger())
        .collect(toMap(ledger -> ledger.shard().id(), Function.identity()));
  }

  private static List<LineageOutput> read(CopyRig rig, ReadStart start, Instant t)
      throws Exception {
    BackfillJob job = rig.job(t);
    Configuration flink = new Configuration();
    flink.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    flink.set(PipelineOptions.GENERIC_TYPES, false);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(flink);
    env.setParallelism(2);
    LineageSource source =
        new LineageSource(
            "batch",
            List.of(),
            job.terms().config(),
            start,
            job.terms().boundary(),
            new StreamLife(
                job.terms().pin().stream().createdAt(), job.terms().pin().stream().retention()),
            ReleasePolicy.UNORDERED,
            Admission.UNCONDITIONAL);
    List<LineageOutput> outputs = new ArrayList<>();
    try (CloseableIterator<LineageOutput> collected =
        env.fromSource(
                source,
                WatermarkStrategy.noWatermarks(),
                "lineage",
                VersionedType.ofLineageOutput())
            .executeAndCollect()) {
      collected.forEachRemaining(outputs::add);
    }
    return outputs;
  }

  private static List<Member> members(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Member("member-" + i, Optional.empty(), new byte[] {(byte) i}))
        .toList();
  }

  private static List<String> origins(List<LineageOutput> outputs) {
    List<String> origins = new ArrayList<>();
    for (LineageOutput output : outputs) {
      if (output instanceof LineageOutput.Copied copied) {
        UserRecord record = copied.record();
        String sub =
            record.origin().subSequence().stream().mapToObj(i -> "/" + i).findFirst().orElse("");
        origins.add(record.origin().shardId() + "/" + record.origin().sequenceNumber() + sub);
      }
    }
    return origins;
  }

  private static List<EndReason> ends(List<LineageOutput> outputs) {
    return outputs.stream()
        .filter(LineageOutput.ShardEnded.class::isInstance)
        .map(output -> ((LineageOutput.ShardEnded) output).ledger().endReason())
        .toList();
  }
}
