package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.Committer.CommitRequest;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.junit.jupiter.api.Test;

class WatchedCommitterTest {

  private static final KafkaCommittable TRANSACTION =
      new KafkaCommittable(7, (short) 0, "cutover-1", null);

  /** Keeps what is said of it. */
  private static final class Request implements CommitRequest<KafkaCommittable> {
    final List<String> said = new ArrayList<>();
    KafkaCommittable committable = TRANSACTION;

    @Override
    public KafkaCommittable getCommittable() {
      return committable;
    }

    @Override
    public int getNumberOfRetries() {
      return 0;
    }

    @Override
    public void signalFailedWithKnownReason(Throwable reason) {
      said.add("known");
    }

    @Override
    public void signalFailedWithUnknownReason(Throwable reason) {
      said.add("unknown");
    }

    @Override
    public void retryLater() {
      said.add("later");
    }

    @Override
    public void updateAndRetryLater(KafkaCommittable updated) {
      said.add("updated");
      committable = updated;
    }

    @Override
    public void signalAlreadyCommitted() {
      said.add("already");
    }
  }

  private static Request committed(Consumer<CommitRequest<KafkaCommittable>> outcome)
      throws Exception {
    Request request = new Request();
    try (WatchedCommitter watched = new WatchedCommitter(new Connector(outcome))) {
      watched.commit(List.of(request));
    }
    return request;
  }

  /** The connector's committer, with an outcome that the test chooses. */
  private record Connector(Consumer<CommitRequest<KafkaCommittable>> outcome)
      implements Committer<KafkaCommittable> {

    @Override
    public void commit(Collection<CommitRequest<KafkaCommittable>> requests) {
      requests.forEach(outcome);
    }

    @Override
    public void close() {}
  }

  @Test
  void committedTransactionIsPassedOnAsItIs() throws Exception {
    Request request = committed(r -> {});
    assertThat(request.said).isEmpty();
    assertThat(WatchedCommitter.dropped(request.committable)).isFalse();
  }

  @Test
  void droppedTransactionIsHandedInAgainAsOneThatSaysSo() throws Exception {
    Request request = committed(r -> r.signalFailedWithKnownReason(new RuntimeException("gone")));
    assertThat(request.said).containsExactly("known", "updated");
    assertThat(WatchedCommitter.dropped(request.committable)).isTrue();
    assertThat(request.committable.getTransactionalId()).isEqualTo("cutover-1");
  }

  @Test
  void droppedTransactionIsNotCommittedWhenItComesAgain() throws Exception {
    Request request = new Request();
    List<CommitRequest<KafkaCommittable>> reached = new ArrayList<>();
    try (WatchedCommitter watched = new WatchedCommitter(new Connector(reached::add))) {
      request.committable = new KafkaCommittable(-1, (short) -1, "cutover-1", null);
      watched.commit(List.of(request));
    }
    assertThat(reached).isEmpty();
    assertThat(request.said).isEmpty();
  }

  @Test
  void everyOtherOutcomeIsTheConnectors() throws Exception {
    assertThat(committed(r -> r.signalFailedWithUnknownReason(new RuntimeException())).said)
        .containsExactly("unknown");
    assertThat(committed(CommitRequest::retryLater).said).containsExactly("later");
    assertThat(committed(CommitRequest::signalAlreadyCommitted).said).containsExactly("already");
  }
}
