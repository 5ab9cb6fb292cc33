package io.cutover.source;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisStream;
import io.cutover.lineage.LineageTracker;
import io.cutover.lineage.LineageTracker.Released;
import io.cutover.lineage.ReleasePolicy;
import io.cutover.lineage.Shard;
import io.cutover.source.ReaderEvent.ReaderRestored;
import io.cutover.source.ReaderEvent.ShardsCovered;
import io.cutover.source.ReaderEvent.ShardsEnded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Speaks Flink's protocol on the JobManager; which shard may be read is {@link LineageTracker}'s to
 * decide, and on which subtask {@link Loads}'s.
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
  private final ReleasePolicy policy;
  private final LineageTracker tracker;
  private final FreshStart freshStart;
  private final Loads loads = new Loads();
  private final Map<String, Long> awaitingSinceNanos = new HashMap<>();

  private boolean admitted;
  private boolean listing;
  private boolean listAgain;
  private boolean listed;
  private OptionalLong listingFailsSinceNanos = OptionalLong.empty();
  private Optional<Boolean> backlog = Optional.empty();

  /** The first checkpoint begun after everything was done. */
  private OptionalLong lastCheckpoint = OptionalLong.empty();

  private boolean finished;

  LineageEnumerator(
      String identity,
      SplitEnumeratorContext<ShardSplit> context,
      KinesisStream stream,
      ReadableConfig config,
      ReleasePolicy policy,
      LineageTracker tracker,
      FreshStart freshStart,
      boolean admitted) {
    this.identity = identity;
    this.context = context;
    this.stream = stream;
    this.config = config;
    this.policy = policy;
    this.tracker = tracker;
    this.freshStart = freshStart;
    this.admitted = admitted;
  }

  @Override
  public void start() {
    reportBacklog();
    if (admitted) {
      list();
    } else {
      context.callAsync(
          () -> {
            freshStart.beforeFirstShard();
            return true;
          },
          (passed, failure) -> {
            rethrow("the checks of a fresh start failed", failure);
            admitted = true;
            list();
          });
    }
    long interval = config.get(SourceOptions.DISCOVERY_INTERVAL).toMillis();
    context.callAsync(() -> true, (tick, failure) -> tick(), interval, interval);
  }

  /** Lists again while something is awaited. */
  private void tick() {
    if (admitted && (!listed || !tracker.awaitingChildren().isEmpty())) {
      list();
    }
  }

  private void list() {
    if (listing) {
      listAgain = true;
      return;
    }
    listing = true;
    Set<String> endedBefore = tracker.endedSoFar();
    context.callAsync(stream::shards, (shards, failure) -> listed(shards, failure, endedBefore));
  }

  private void listed(List<Shard> shards, Throwable failure, Set<String> endedBefore) {
    listing = false;
    if (failure == null) {
      if (!listed) {
        LOG.info("The lineage has {} shards in retention.", shards.size());
      }
      listed = true;
      listingFailsSinceNanos = OptionalLong.empty();
      try {
        tracker.learn(shards, endedBefore);
      } catch (Refusal refusal) {
        throw new SuppressRestartsException(refusal);
      }
      checkAwaited();
      advance();
    } else {
      listingFailed(failure);
    }
    if (listAgain) {
      listAgain = false;
      list();
    }
  }

  /** The next tick tries again, for as long as a call may be retried. */
  private void listingFailed(Throwable failure) {
    KinesisFailure kind = KinesisFailure.of(failure);
    if (listingFailsSinceNanos.isEmpty()) {
      listingFailsSinceNanos = OptionalLong.of(System.nanoTime());
    }
    long failingFor = System.nanoTime() - listingFailsSinceNanos.getAsLong();
    boolean retry =
        kind == KinesisFailure.THROTTLED
            || (kind == KinesisFailure.TRANSIENT
                && failingFor < config.get(SourceOptions.RETRY_TIMEOUT).toNanos());
    if (!retry) {
      rethrow("listing the stream's shards failed (" + kind + ")", failure);
    }
    listed = false;
    LOG.info("Listing the shards failed ({}), it is tried again.", kind);
  }

  private void checkAwaited() {
    Set<String> awaiting = tracker.awaitingChildren();
    awaitingSinceNanos.keySet().retainAll(awaiting);
    for (String id : awaiting) {
      long since = awaitingSinceNanos.computeIfAbsent(id, first -> System.nanoTime());
      if (System.nanoTime() - since > config.get(SourceOptions.CHILDREN_TIMEOUT).toNanos()) {
        throw new SuppressRestartsException(
            new Refusal(
                "shard "
                    + id
                    + " is closed, but ListShards does not show children that own all of its keys"
                    + " (it shows "
                    + tracker.lineage().children(id)
                    + "). They may hold records from before T, so the copy cannot be finished: check"
                    + " the stream, or raise "
                    + SourceOptions.CHILDREN_TIMEOUT.key()));
      }
    }
  }

  /** Gives out what may be read, and sees whether all is done. */
  private void advance() {
    if (context.registeredReaders().size() == context.currentParallelism()) {
      for (Released released : tracker.release()) {
        loads.subtaskFor(released).ifPresent(subtask -> assign(released, subtask));
      }
    }
    reportBacklog();
    if (policy == ReleasePolicy.UNORDERED && tracker.done()) {
      finish();
    }
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
    return tracker.lineage().listedParents(shard).isEmpty()
        ? ShardSplit.toRead(shard)
        : ShardSplit.toReadFromBirth(shard);
  }

  /** While no shard is read, everybody waits for checkpoints: then they may come fast. */
  private void reportBacklog() {
    boolean now = policy == ReleasePolicy.ORDERED && (tracker.reading() || !listed);
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
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event instanceof ShardsEnded ended) {
      ended.reasons().forEach((id, reason) -> tracker.ended(id, reason, subtask));
      loads.add(subtask, -ended.reasons().size());
      if (ended.reasons().values().stream().anyMatch(r -> !r.descendantsLieAfterBoundary())) {
        list();
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

  private static void rethrow(String what, Throwable failure) {
    if (failure instanceof Refusal refusal) {
      throw new SuppressRestartsException(refusal);
    }
    if (failure != null) {
      throw new UncheckedIOException(new IOException(what + ": " + failure.getMessage(), failure));
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
