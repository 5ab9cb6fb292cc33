package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * What a test does to a job from inside the chain of source and sink: it sees every record that the
 * sink is given, every snapshot and every completed checkpoint, and throws where it likes. Called
 * by all subtasks at once.
 */
interface Sabotage {

  default void record(LineageOutput output, int subtask) {}

  default void snapshot(long checkpoint, int subtask) {}

  default void completed(long checkpoint, int subtask) {}

  /** Told of a completed checkpoint when the subtask's committer has committed already. */
  static Consumer<DataStream<LineageOutput>> behindCommit(Sabotage sabotage) {
    return read -> Operator.addTo(read, sabotage);
  }

  /**
   * Told of a completed checkpoint when the subtask's committer and source have yet to be told. A
   * chain tells its operators from the last branch to the first, and each of them even when another
   * threw an exception: only an {@link Error} keeps the news from the rest.
   */
  static Consumer<DataStream<LineageOutput>> beforeCommit(Sabotage sabotage) {
    return read -> {
      Operator.addTo(read, sabotage);
      List<Transformation<?>> all = read.getExecutionEnvironment().getTransformations();
      all.add(0, all.remove(all.size() - 1));
    };
  }

  /** A failure that stops everything else in its chain. */
  static Error failure(String moment) {
    return new Error("the test makes the job fail " + moment);
  }

  /** Carries the sabotage into the task; the cluster runs in the test's JVM. */
  final class Operator extends AbstractStreamOperator<Void>
      implements OneInputStreamOperator<LineageOutput, Void> {

    private static final long serialVersionUID = 1L;
    private static final Map<String, Sabotage> BY_ID = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();

    private static void addTo(DataStream<LineageOutput> read, Sabotage sabotage) {
      Operator operator = new Operator();
      BY_ID.put(operator.id, sabotage);
      read.transform("sabotage", org.apache.flink.api.common.typeinfo.Types.VOID, operator)
          .uid("sabotage");
    }

    private Sabotage sabotage() {
      return BY_ID.get(id);
    }

    private int subtask() {
      return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public void processElement(StreamRecord<LineageOutput> element) {
      sabotage().record(element.getValue(), subtask());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
      super.snapshotState(context);
      sabotage().snapshot(context.getCheckpointId(), subtask());
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
      super.notifyCheckpointComplete(checkpointId);
      sabotage().completed(checkpointId, subtask());
    }
  }
}
