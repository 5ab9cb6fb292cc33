package io.cutover.reconcile;

import io.cutover.lineage.ReleasePolicy;
import io.cutover.pin.Pin;
import io.cutover.reconcile.drilldown.DrillDown;
import io.cutover.reconcile.judge.VerdictOperator;
import io.cutover.reconcile.plan.InFlight;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.side.StreamSide;
import io.cutover.reconcile.side.TopicRecords;
import io.cutover.reconcile.side.TopicSide;
import io.cutover.source.LineageSource;
import io.cutover.source.ReadStart;
import io.cutover.source.StreamLife;
import io.cutover.source.VersionedType;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.RestartStrategyOptions.RestartStrategyType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The topology of a reconciliation, a batch job: both sides are read and counted beside their
 * sources, compared by one subtask, read again where they differ, and judged.
 */
record Reconciliation(Plan plan) {

  /** What the reconciliation asks of Flink; it overrules the cluster's defaults. */
  static Configuration flinkConfig() {
    Configuration flink = new Configuration();
    flink.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    // A part of it that began again would read another state of the stream than the rest had.
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY,
        RestartStrategyType.NO_RESTART_STRATEGY.getMainValue());
    flink.set(PipelineOptions.OBJECT_REUSE, true);
    flink.set(PipelineOptions.GENERIC_TYPES, false);
    return flink;
  }

  void addTo(StreamExecutionEnvironment env) {
    int parallelism = env.getParallelism();
    DataStream<Side> topic =
        env.fromSource(TopicRecords.source(plan), WatermarkStrategy.noWatermarks(), "topic")
            .uid("topic")
            .setParallelism(parallelism)
            .transform("count topic", InFlight.type(Side.class), new TopicSide(plan))
            .uid("count-topic")
            .setParallelism(parallelism);
    DataStream<Side> sides = plan.rereads() ? stream(env).union(topic) : topic;
    DrillDown drillDown = DrillDown.of(plan, sides, parallelism);
    drillDown
        .told()
        .global()
        .connect(drillDown.differences().global())
        .transform("verdict", Types.VOID, new VerdictOperator(plan))
        .uid("verdict")
        .setParallelism(1)
        .setMaxParallelism(1);
  }

  /** Adds the Kinesis side alone; gives what each subtask found. */
  DataStream<Side> stream(StreamExecutionEnvironment env) {
    Pin pin = plan.pin();
    LineageSource source =
        new LineageSource(
            "reconciliation of " + pin.id(),
            plan.facts().listing(),
            plan.config(),
            ReadStart.at(plan.facts().readFrom()),
            plan.boundary(),
            new StreamLife(pin.stream().createdAt(), plan.facts().retention()),
            ReleasePolicy.UNORDERED,
            new VerdictWatch(plan));
    return env.fromSource(
            source,
            WatermarkStrategy.noWatermarks(),
            "kinesis lineage",
            VersionedType.ofLineageOutput())
        .uid("stream")
        .setParallelism(env.getParallelism())
        .transform("count stream", InFlight.type(Side.class), new StreamSide(plan))
        .uid("count-stream")
        .setParallelism(env.getParallelism());
  }
}
