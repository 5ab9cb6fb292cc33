package io.cutover.kafka;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/** The transactions of one copy that are open on the brokers. */
public final class CopyTransactions {

  private CopyTransactions() {}

  /** Asks for whatever is open. */
  public static ListTransactionsOptions open() {
    return new ListTransactionsOptions()
        .filterStates(
            List.of(
                TransactionState.ONGOING,
                TransactionState.PREPARE_COMMIT,
                TransactionState.PREPARE_ABORT));
  }

  /** The transactional ids among those listed that are the copy's, sorted. */
  public static List<String> of(Collection<TransactionListing> listed, String prefix) {
    return listed.stream()
        .map(TransactionListing::transactionalId)
        .filter(id -> id.startsWith(prefix))
        .sorted()
        .toList();
  }

  /**
   * @throws Refusal when one of the copy's is open: a sink that begins anew would abort it
   */
  public static void refuseIfOpen(KafkaClientProperties properties, String prefix) {
    try (BriefAdmin brief = new BriefAdmin(properties.admin())) {
      List<String> open =
          of(
              KafkaAnswer.of(
                  properties.bootstrapServers(),
                  "the listing of transactions",
                  "Describe on the transactional ids that begin with " + prefix,
                  brief.admin().listTransactions(open()).all()),
              prefix);
      if (!open.isEmpty()) {
        throw new Refusal(
            Reason.TRANSACTIONS_OPEN,
            "transactions of this very copy are open ("
                + String.join(", ", open)
                + "): either it is running already, or a run of it was killed. Let the running one"
                + " be; after a killed one take up its last checkpoint with flink run -s, or wait"
                + " for the transaction timeout and begin again");
      }
    }
  }
}
