package io.cutover.source;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.KinesisStream;
import io.cutover.lineage.Boundary;
import io.cutover.lineage.LineageTracker;
import io.cutover.lineage.ReleasePolicy;
import io.cutover.lineage.Shard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * A bounded source over the whole lineage of one Kinesis stream: every shard in retention, closed
 * parents included, up to T, from its trim horizon or from an instant on.
 *
 * <p>Guarantees that each user record from there on with arrival before T is emitted, in shard
 * order, and with the ORDERED policy every record of a parent reaches the log before any of its
 * children's. Refuses (fails the job without a restart) rather than emit less: when a shard
 * vanishes, when retention overtakes a reading, when a closed shard's children never show.
 *
 * <p>It needs only the basics of the cluster: with the ORDERED policy checkpoints, and with
 * UNORDERED none.
 */
public final class LineageSource implements Source<LineageOutput, ShardSplit, LineageState> {

  private static final long serialVersionUID = 1L;

  /** Calls that one subtask may have under way: one for each of its shards, within reason. */
  private static final int READER_CONCURRENCY = 1000;

  private static final int ENUMERATOR_CONCURRENCY = 2;

  private final String identity;
  private final ArrayList<Shard> pinned;
  private final Configuration config;
  private final ReadStart start;
  private final Boundary boundary;
  private final StreamLife life;
  private final ReleasePolicy policy;
  private final Admission admission;

  /**
   * Set when the enumerator of this job was created once: when the job restarts before its first
   * checkpoint, it is created again, but the open transactions it then meets are its own.
   */
  private transient boolean begun;

  /**
   * @param identity of the copy; a checkpoint or savepoint of another one is refused
   * @param pinned shards that must show: a minimum, to which each listing may add
   * @param config the options of {@link io.cutover.kinesis.KinesisOptions} and {@link
   *     SourceOptions}
   * @param start where the reading of each shard begins
   * @param boundary T, where it ends
   * @param life the stream's when the job was made; its retention is asked again before it is
   *     relied on to refuse
   */
  public LineageSource(
      String identity,
      Collection<Shard> pinned,
      Configuration config,
      ReadStart start,
      Boundary boundary,
      StreamLife life,
      ReleasePolicy policy,
      Admission admission) {
    this.identity = identity;
    this.pinned = new ArrayList<>(pinned);
    this.config = config;
    this.start = start;
    this.boundary = boundary;
    this.life = life;
    this.policy = policy;
    this.admission = admission;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SplitEnumerator<ShardSplit, LineageState> createEnumerator(
      SplitEnumeratorContext<ShardSplit> context) {
    boolean anew = !begun;
    begun = true;
    try {
      admission.beforeTasks(anew);
    } catch (Refusal refusal) {
      throw new SuppressRestartsException(refusal);
    }
    return enumerator(context, LineageTracker.of(policy, pinned), Optional.empty());
  }

  @Override
  public SplitEnumerator<ShardSplit, LineageState> restoreEnumerator(
      SplitEnumeratorContext<ShardSplit> context, LineageState state) {
    begun = true;
    try {
      checkIdentity(state);
      admission.beforeTasks(false);
    } catch (Refusal refusal) {
      return new RefusedEnumerator(state, refusal);
    }
    return enumerator(
        context,
        LineageTracker.restored(policy, state.lineage(), state.statuses()),
        state.admitted());
  }

  private void checkIdentity(LineageState state) {
    if (!state.identity().equals(identity)) {
      throw new Refusal(
          Reason.CHECKPOINT_OF_ANOTHER,
          "the checkpoint or savepoint is of copy "
              + state.identity()
              + ", but this is copy "
              + identity
              + ": stream, topic, T, partition count or key differ. Shards that it holds as read"
              + " would be left out: take it up with the configuration that it was made with");
    }
  }

  private LineageEnumerator enumerator(
      SplitEnumeratorContext<ShardSplit> context,
      LineageTracker tracker,
      Optional<String> admitted) {
    KinesisStream stream = new KinesisStream(config, ENUMERATOR_CONCURRENCY);
    return new LineageEnumerator(
        identity, context, stream, config, start, policy, tracker, admission, admitted);
  }

  @Override
  public SourceReader<LineageOutput, ShardSplit> createReader(SourceReaderContext context) {
    return new LineageReader(
        () ->
            new ShardSplitReader(
                new ShardPoller(
                    new KinesisStream(config, READER_CONCURRENCY), config, start, boundary, life)),
        new MeasuredEmitter(new ShardEmitter(boundary), boundary, metrics(context)),
        config,
        context);
  }

  private SourceMetrics metrics(SourceReaderContext context) {
    String stream = config.get(KinesisOptions.STREAM);
    String name = stream.substring(stream.indexOf('/') + 1);
    return new SourceMetrics(context.metricGroup(), name, boundary, life);
  }

  @Override
  public SimpleVersionedSerializer<ShardSplit> getSplitSerializer() {
    return new ShardSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<LineageState> getEnumeratorCheckpointSerializer() {
    return new LineageStateSerializer();
  }
}
