package io.cutover.reconcile.drilldown;

import io.cutover.reconcile.plan.InFlight;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.verdict.Difference;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The second half of a reconciliation: compares what both sides came to, and reads again what
 * differs. After a clean comparison it has nothing to read but the sample.
 *
 * @param told what the verdict must know beside the records
 * @param differences the records that differ
 */
public record DrillDown(DataStream<Told> told, DataStream<Difference> differences) {

  /**
   * @param parallelism of the reading
   */
  public static DrillDown of(Plan plan, DataStream<Side> sides, int parallelism) {
    SingleOutputStreamOperator<Work> compared =
        sides
            .global()
            .transform("compare", InFlight.type(Work.class), new CompareSides(plan))
            .uid("compare")
            .setParallelism(1)
            .setMaxParallelism(1);
    SingleOutputStreamOperator<Sighting> again =
        compared
            .rebalance()
            .process(new ReadAgain(plan))
            .returns(SightingSerializer.type())
            .name("read again")
            .uid("read-again")
            .setParallelism(parallelism);
    DataStream<Difference> paired =
        again
            .keyBy(Sighting::identity, Types.STRING)
            .process(new Pairing(plan))
            .returns(InFlight.type(Difference.class))
            .name("pair")
            .uid("pair")
            .setParallelism(parallelism);
    return new DrillDown(
        compared.getSideOutput(ReadAgain.TOLD).union(again.getSideOutput(ReadAgain.TOLD)),
        again.getSideOutput(ReadAgain.NAMED).union(paired));
  }
}
