package io.cutover.source;

import io.cutover.Refusal;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Ends a job that must not take its checkpoint or savepoint up, when it starts: before a task is
 * deployed. What is thrown earlier, while Flink restores, it can lose: then no coordinator ever
 * starts, but the tasks do (Flink 2.2.1, {@code RecreateOnResetOperatorCoordinator}: the context
 * through which it fails the job is not initialized yet).
 */
final class RefusedEnumerator implements SplitEnumerator<ShardSplit, LineageState> {

  private final LineageState restored;
  private final Refusal refusal;

  RefusedEnumerator(LineageState restored, Refusal refusal) {
    this.restored = restored;
    this.refusal = refusal;
  }

  @Override
  public void start() {
    throw new SuppressRestartsException(refusal);
  }

  @Override
  public void handleSplitRequest(int subtask, String hostname) {}

  @Override
  public void addSplitsBack(List<ShardSplit> splits, int subtask) {}

  @Override
  public void addReader(int subtask) {}

  @Override
  public LineageState snapshotState(long checkpointId) {
    return restored;
  }

  @Override
  public void close() {}
}
