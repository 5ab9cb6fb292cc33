package io.cutover.source;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisStream;
import io.cutover.lineage.LineageTracker;
import io.cutover.lineage.LineageTracker.Released;
import io.cutover.lineage.ReleasePolicy;
import io.cutover.lineage.Shard;
import io.cutover.source.ReaderEvent.ReaderRestored;
import io.cutover.source.ReaderEvent.ShardsCovered;
import io.cutover.source.ReaderEvent.ShardsEnded;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Speaks Flink's protocol on the JobManager; which shard may be read is {@link LineageTracker}'s to
 * decide, when to list {@link ShardDiscovery}'s, and on which subtask {@link Loads}'s.
 *
 * <p>With the ORDERED policy it does not say that no more splits come until one checkpoint has been
 * completed that was begun after every end was covered: by then each commit of the copy's records
 * was tried and its outcome has passed downstream, so what ends the job can rely on it.
 */
final class LineageEnumerator implements SplitEnumerator<ShardSplit, LineageState> {

  private static final Logger LOG = LoggerFactory.getLogger(LineageEnumerator.class);

  private final String identity;
  private final SplitEnumeratorContext<ShardSplit> context;
  private final KinesisStream stream;
  private final ReadableConfig config;
  private final ReadStart start;
  private final ReleasePolicy policy;
  private final LineageTracker tracker;
  private final Admission admission;
  private final ShardDiscovery discovery;
  private final Loads loads = new Loads();

  /** What the checks of a fresh start found; absent until they have passed. */
  private Optional<String> admitted;

  private final boolean restored;
  private Optional<Boolean> backlog = Optional.empty();

  /** The first checkpoint begun after everything was done. */
  private OptionalLong lastCheckpoint = OptionalLong.empty();

  private boolean finished;

  private boolean waitedForReaders;

  LineageEnumerator(
      String identity,
      SplitEnumeratorContext<ShardSplit> context,
      KinesisStream stream,
      ReadableConfig config,
      ReadStart start,
      ReleasePolicy policy,
      LineageTracker tracker,
      Admission admission,
      Optional<String> admitted) {
    this.identity = identity;
    this.context = context;
    this.stream = stream;
    this.config = config;
    this.start = start;
    this.policy = policy;
    this.tracker = tracker;
    this.admission = admission;
    this.discovery = new ShardDiscovery(context, stream, config, tracker, this::advance);
    this.admitted = admitted;
    this.restored = admitted.isPresent();
  }

  @Override
  public void start() {
    reportBacklog();
    if (admitted.isPresent()) {
      discovery.list();
      context.callAsync(
          () -> {
            admission.afterRestore();
            return true;
          },
          (passed, failure) ->
              ShardDiscovery.rethrow("the checks of a restored run failed", failure));
    } else {
      context.callAsync(
          admission::beforeFirstShard,
          (found, failure) -> {
            ShardDiscovery.rethrow("the checks of a fresh start failed", failure);
            admitted = Optional.of(found);
            discovery.list();
          });
    }
    long interval = config.get(SourceOptions.DISCOVERY_INTERVAL).toMillis();
    context.callAsync(() -> true, (tick, failure) -> tick(), interval, interval);
  }

  /** Lists again while something is awaited. */
  private void tick() {
    try {
      admission.stillOn();
    } catch (Refusal refusal) {
      throw new SuppressRestartsException(refusal);
    }
    if (admitted.isPresent()) {
      discovery.tick();
    }
    waitedForReaders = true;
    if (policy == ReleasePolicy.UNORDERED) {
      advance();
    }
  }

  /** Gives out what may be read, and sees whether all is done. */
  private void advance() {
    // A pinned shard is not given out before a listing has shown that it is still there.
    boolean known = restored || discovery.begun();
    if (known && readersThere()) {
      for (Released released : tracker.release()) {
        loads.subtaskFor(released).ifPresent(subtask -> assign(released, subtask));
      }
    }
    reportBacklog();
    if (policy == ReleasePolicy.UNORDERED && tracker.done()) {
      finish();
    }
  }

  /**
   * All of them share the work. In batch some may wait for a slot until others have ended, so after
   * a while those that are there begin.
   */
  private boolean readersThere() {
    int there = context.registeredReaders().size();
    return there == context.currentParallelism()
        || (policy == ReleasePolicy.UNORDERED && waitedForReaders && there > 0);
  }

  private void assign(Released released, int subtask) {
    Shard shard = released.shard();
    LOG.info("Shard {} goes to subtask {}: {}.", shard.id(), subtask, released);
    tracker.assigned(shard.id());
    loads.add(subtask, 1);
    context.assignSplit(split(released), subtask);
  }

  private ShardSplit split(Released released) {
    Shard shard = released.shard();
    if (released instanceof Released.Unread) {
      return ShardSplit.toSkip(shard);
    }
    return start.fromBirth() && !tracker.lineage().listedParents(shard).isEmpty()
        ? ShardSplit.toReadFromBirth(shard)
        : ShardSplit.toRead(shard);
  }

  /** While no shard is read, everybody waits for checkpoints: then they may come fast. */
  private void reportBacklog() {
    boolean now = policy == ReleasePolicy.ORDERED && (tracker.reading() || !discovery.complete());
    if (policy == ReleasePolicy.ORDERED && !backlog.equals(Optional.of(now))) {
      backlog = Optional.of(now);
      context.setIsProcessingBacklog(now);
    }
  }

  private void finish() {
    if (finished) {
      return;
    }
    finished = true;
    LOG.info("All {} shards are done.", tracker.lineage().shards().size());
    context.registeredReaders().keySet().forEach(this::noMoreShards);
  }

  private void noMoreShards(int subtask) {
    loads.close(subtask);
    context.sendEventToSourceReader(subtask, new ReaderEvent.Admitted(admitted.orElseThrow()));
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event instanceof ShardsEnded ended) {
      ended.reasons().forEach((id, reason) -> tracker.ended(id, reason, subtask));
      loads.add(subtask, -ended.reasons().size());
      if (ended.reasons().values().stream().anyMatch(r -> !r.descendantsLieAfterBoundary())) {
        discovery.list();
      }
    } else if (event instanceof ShardsCovered covered) {
      covered.reasons().forEach(tracker::covered);
    } else if (event instanceof ReaderRestored restored) {
      // Added, since the reader may have been given shards between its registration and this.
      loads.add(subtask, restored.reading());
    } else {
      throw new IllegalStateException("unknown event from subtask " + subtask + ": " + event);
    }
    advance();
  }

  @Override
  public void handleSplitRequest(int subtask, String hostname) {
    throw new IllegalStateException("shards are given out, not asked for");
  }

  @Override
  public void addReader(int subtask) {
    loads.open(subtask);
    if (finished) {
      noMoreShards(subtask);
    }
    advance();
  }

  /** A subtask starts over alone: what it was given or had ended since its checkpoint is undone. */
  @Override
  public void addSplitsBack(List<ShardSplit> splits, int subtask) {
    tracker.subtaskReset(subtask);
    splits.forEach(split -> tracker.givenBack(split.splitId()));
    lastCheckpoint = OptionalLong.empty();
    finished = false;
    advance();
  }

  @Override
  public LineageState snapshotState(long checkpointId) {
    if (lastCheckpoint.isEmpty() && tracker.done()) {
      lastCheckpoint = OptionalLong.of(checkpointId);
    }
    return new LineageState(identity, admitted, tracker.lineage(), tracker.statuses());
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    if (lastCheckpoint.isPresent() && lastCheckpoint.getAsLong() <= checkpointId) {
      finish();
    }
  }

  @Override
  public void close() {
    try {
      admission.over();
    } finally {
      stream.close();
    }
  }
}
