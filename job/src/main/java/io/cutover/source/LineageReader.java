package io.cutover.source;

import io.cutover.lineage.EndReason;
import io.cutover.source.ReaderEvent.ReaderRestored;
import io.cutover.source.ReaderEvent.ShardsCovered;
import io.cutover.source.ReaderEvent.ShardsEnded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.core.io.InputStatus;

/**
 * Reads the shards of one subtask. Ended shards stay in its state for good: a reader that forgot
 * one before the enumerator's own checkpoint knew of it would lose the end between the two, and the
 * children with it. An entry is a few hundred bytes.
 */
final class LineageReader
    extends SingleThreadMultiplexSourceReaderBase<
        ShardItem, LineageOutput, ShardSplit, ShardProgress> {

  private final Map<String, ShardSplit> ended = new HashMap<>();
  private final Set<String> uncovered = new HashSet<>();

  /** By checkpoint, the ends that its snapshot was the first to hold. */
  private final NavigableMap<Long, Set<String>> snapshots = new TreeMap<>();

  private Optional<String> admitted = Optional.empty();
  private boolean saidDone;

  LineageReader(
      Supplier<SplitReader<ShardItem, ShardSplit>> splitReaders,
      RecordEmitter<ShardItem, LineageOutput, ShardProgress> emitter,
      Configuration config,
      SourceReaderContext context) {
    super(splitReaders, emitter, config, context);
  }

  /** Called before {@link #start} with what a checkpoint held, later with assignments. */
  @Override
  public void addSplits(List<ShardSplit> splits) {
    List<ShardSplit> toRead = new ArrayList<>();
    for (ShardSplit split : splits) {
      if (split.stage() == ShardSplit.Stage.ENDED) {
        ended.put(split.splitId(), split);
      } else {
        toRead.add(split);
      }
    }
    if (!toRead.isEmpty()) {
      super.addSplits(toRead);
    }
  }

  /** Tells the enumerator what was restored: its own snapshot may be older than this reader's. */
  @Override
  public void start() {
    super.start();
    context.sendSourceEventToCoordinator(new ReaderRestored(getNumberOfCurrentlyAssignedSplits()));
    if (!ended.isEmpty()) {
      context.sendSourceEventToCoordinator(new ShardsCovered(reasons(ended.keySet())));
    }
  }

  @Override
  protected void onSplitFinished(Map<String, ShardProgress> finished) {
    finished.forEach((id, progress) -> ended.put(id, progress.split()));
    uncovered.addAll(finished.keySet());
    context.sendSourceEventToCoordinator(new ShardsEnded(reasons(finished.keySet())));
  }

  @Override
  public List<ShardSplit> snapshotState(long checkpointId) {
    List<ShardSplit> state = new ArrayList<>(super.snapshotState(checkpointId));
    state.addAll(ended.values());
    snapshots.put(checkpointId, Set.copyOf(uncovered));
    return state;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    Set<String> covered = new HashSet<>();
    snapshots.headMap(checkpointId, true).values().forEach(covered::addAll);
    snapshots.headMap(checkpointId, true).clear();
    covered.retainAll(uncovered);
    if (!covered.isEmpty()) {
      uncovered.removeAll(covered);
      context.sendSourceEventToCoordinator(new ShardsCovered(reasons(covered)));
    }
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (!(event instanceof ReaderEvent.Admitted word)) {
      throw new IllegalStateException("unknown event from the enumerator: " + event);
    }
    admitted = Optional.of(word.found());
  }

  /** Says so when the end is the lineage's own, not that of a job that is drained. */
  @Override
  public InputStatus pollNext(ReaderOutput<LineageOutput> output) throws Exception {
    InputStatus status = super.pollNext(output);
    if (status == InputStatus.END_OF_INPUT && !saidDone) {
      saidDone = true;
      output.collect(
          new LineageOutput.SubtaskDone(
              context.getIndexOfSubtask(), context.currentParallelism(), admitted.orElseThrow()));
    }
    return status;
  }

  private Map<String, EndReason> reasons(Set<String> ids) {
    Map<String, EndReason> reasons = new HashMap<>();
    ids.forEach(id -> reasons.put(id, ended.get(id).ledger().endReason()));
    return reasons;
  }

  @Override
  protected ShardProgress initializedState(ShardSplit split) {
    return new ShardProgress(split);
  }

  @Override
  protected ShardSplit toSplitType(String splitId, ShardProgress progress) {
    return progress.split();
  }
}
