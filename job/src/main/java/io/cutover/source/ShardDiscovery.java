package io.cutover.source;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisStream;
import io.cutover.lineage.LineageTracker;
import io.cutover.lineage.Shard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the stream's shards for the tracker: once at the start, at every end of a shard that can
 * have children, and again for as long as such children are awaited. One listing at a time; what
 * the calls bring is handled on the enumerator's thread.
 *
 * <p>Fails the job when listing fails for longer than a call may be retried, and without a restart
 * when a closed shard's children never show or a shard vanishes before it was read.
 */
final class ShardDiscovery {

  private static final Logger LOG = LoggerFactory.getLogger(ShardDiscovery.class);

  private final SplitEnumeratorContext<ShardSplit> context;
  private final KinesisStream stream;
  private final ReadableConfig config;
  private final LineageTracker tracker;
  private final Runnable learned;
  private final Map<String, Long> awaitingSinceNanos = new HashMap<>();

  private boolean underWay;
  private boolean again;
  private boolean complete;
  private boolean begun;
  private OptionalLong failsSinceNanos = OptionalLong.empty();

  /**
   * @param learned run after every listing that the tracker has taken in
   */
  ShardDiscovery(
      SplitEnumeratorContext<ShardSplit> context,
      KinesisStream stream,
      ReadableConfig config,
      LineageTracker tracker,
      Runnable learned) {
    this.context = context;
    this.stream = stream;
    this.config = config;
    this.tracker = tracker;
    this.learned = learned;
  }

  /** Whether the last listing came whole; until the first one did, nothing is known. */
  boolean complete() {
    return complete;
  }

  /** Whether any listing came whole. */
  boolean begun() {
    return begun;
  }

  /** Lists now; or, when a listing is under way, once more behind it. */
  void list() {
    if (underWay) {
      again = true;
      return;
    }
    underWay = true;
    Set<String> endedBefore = tracker.endedSoFar();
    context.callAsync(stream::shards, (shards, failure) -> listed(shards, failure, endedBefore));
  }

  /** To be called at intervals: lists again while something is awaited. */
  void tick() {
    if (!complete || !tracker.awaitingChildren().isEmpty()) {
      list();
    }
  }

  private void listed(List<Shard> shards, Throwable failure, Set<String> endedBefore) {
    underWay = false;
    if (failure == null) {
      learn(shards, endedBefore);
    } else {
      failed(failure);
    }
    if (again) {
      again = false;
      list();
    }
  }

  private void learn(List<Shard> shards, Set<String> endedBefore) {
    if (!complete) {
      LOG.info("The lineage has {} shards in retention.", shards.size());
    }
    complete = true;
    begun = true;
    failsSinceNanos = OptionalLong.empty();
    try {
      tracker.learn(shards, endedBefore);
      checkAwaited();
    } catch (Refusal refusal) {
      throw new SuppressRestartsException(refusal);
    }
    learned.run();
  }

  /** The next tick tries again, for as long as a call may be retried. */
  private void failed(Throwable failure) {
    KinesisFailure kind = KinesisFailure.of(failure);
    if (failsSinceNanos.isEmpty()) {
      failsSinceNanos = OptionalLong.of(System.nanoTime());
    }
    long failingFor = System.nanoTime() - failsSinceNanos.getAsLong();
    boolean retry =
        kind == KinesisFailure.THROTTLED
            || (kind == KinesisFailure.TRANSIENT
                && failingFor < config.get(SourceOptions.RETRY_TIMEOUT).toNanos());
    if (!retry) {
      rethrow("listing the stream's shards failed (" + kind + ")", failure);
    }
    complete = false;
    LOG.info("Listing the shards failed ({}), it is tried again.", kind);
  }

  private void checkAwaited() {
    Set<String> awaiting = tracker.awaitingChildren();
    awaitingSinceNanos.keySet().retainAll(awaiting);
    for (String id : awaiting) {
      long since = awaitingSinceNanos.computeIfAbsent(id, first -> System.nanoTime());
      if (System.nanoTime() - since > config.get(SourceOptions.CHILDREN_TIMEOUT).toNanos()) {
        throw new Refusal(
            Reason.CHILDREN_MISSING,
            "shard "
                + id
                + " is closed, but ListShards does not show children that own all of its keys"
                + " (it shows "
                + tracker.lineage().children(id)
                + "). They may hold records from before T, so the copy cannot be finished: check"
                + " the stream, or raise "
                + SourceOptions.CHILDREN_TIMEOUT.key());
      }
    }
  }

  /** A refusal ends the job for good, anything else fails it; nothing for no failure. */
  static void rethrow(String what, Throwable failure) {
    if (failure instanceof Refusal refusal) {
      throw new SuppressRestartsException(refusal);
    }
    if (failure != null) {
      throw new UncheckedIOException(new IOException(what + ": " + failure.getMessage(), failure));
    }
  }
}
