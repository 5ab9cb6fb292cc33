package io.cutover.backfill;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;

/**
 * The connector's committer, with its failures made known downstream; on the TaskManagers.
 *
 * <p>The committer drops a transaction that it could not commit "for a known reason" and goes on.
 * The runtime counts that in a metric and nowhere else: its summary has a field for failures, but
 * nothing ever sets it (Flink 2.2.1, {@code SubtaskCommittableManager}), and what failed is not
 * passed on. So a dropped committable is handed in again as one that says so, which goes downstream
 * in its place.
 */
final class WatchedCommitter implements Committer<KafkaCommittable> {

  /** What no producer has. */
  private static final long DROPPED = -1;

  private final Committer<KafkaCommittable> kafka;

  WatchedCommitter(Committer<KafkaCommittable> kafka) {
    this.kafka = kafka;
  }

  /** Whether a committable that came downstream stands for a transaction that was not committed. */
  static boolean dropped(KafkaCommittable committable) {
    return committable.getProducerId() == DROPPED;
  }

  @Override
  public void commit(Collection<CommitRequest<KafkaCommittable>> requests)
      throws IOException, InterruptedException {
    List<CommitRequest<KafkaCommittable>> toCommit = new ArrayList<>();
    for (CommitRequest<KafkaCommittable> request : requests) {
      // Handed in again by what follows; left alone, it counts as done and is passed on.
      if (!dropped(request.getCommittable())) {
        toCommit.add(new Watched(request));
      }
    }
    kafka.commit(toCommit);
  }

  @Override
  public void close() throws Exception {
    kafka.close();
  }

  private record Watched(CommitRequest<KafkaCommittable> request)
      implements CommitRequest<KafkaCommittable> {

    @Override
    public KafkaCommittable getCommittable() {
      return request.getCommittable();
    }

    @Override
    public int getNumberOfRetries() {
      return request.getNumberOfRetries();
    }

    @Override
    public void signalFailedWithKnownReason(Throwable reason) {
      request.signalFailedWithKnownReason(reason);
      String transactionalId = request.getCommittable().getTransactionalId();
      request.updateAndRetryLater(
          new KafkaCommittable(DROPPED, (short) DROPPED, transactionalId, null));
    }

    @Override
    public void signalFailedWithUnknownReason(Throwable reason) {
      request.signalFailedWithUnknownReason(reason);
    }

    @Override
    public void retryLater() {
      request.retryLater();
    }

    @Override
    public void updateAndRetryLater(KafkaCommittable committable) {
      request.updateAndRetryLater(committable);
    }

    @Override
    public void signalAlreadyCommitted() {
      request.signalAlreadyCommitted();
    }
  }
}
