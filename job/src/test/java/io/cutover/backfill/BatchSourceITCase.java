package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.KplBlob.Member;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.ReleasePolicy;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.source.Admission;
import io.cutover.source.LineageOutput;
import io.cutover.source.LineageSource;
import io.cutover.source.StreamLife;
import io.cutover.source.VersionedType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

      List<LineageOutput> outputs = read(rig, t);

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

  private static List<LineageOutput> read(CopyRig rig, Instant t) throws Exception {
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
