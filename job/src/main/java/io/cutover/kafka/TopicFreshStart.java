package io.cutover.kafka;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.lineage.Boundary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the topic must not hold when a copy begins: open transactions under the copy's prefix (then
 * another run is on, and this one's sink would abort its work), committed records of this pin, or
 * anybody's from before T. Records from T on without our origin are a dual write's: allowed.
 */
public final class TopicFreshStart {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(TopicFreshStart.class);
  private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Properties adminProperties;
  private final Properties consumerProperties;
  private final String topic;
  private final String pinId;
  private final Boundary boundary;

  public TopicFreshStart(
      KafkaClientProperties properties, String topic, String pinId, Boundary boundary) {
    this.adminProperties = properties.admin();
    this.consumerProperties = properties.consumer();
    this.topic = topic;
    this.pinId = pinId;
    this.boundary = boundary;
  }

  public void beforeTasks() {
    String prefix = TransactionalIds.prefix(pinId, topic);
    try (BriefAdmin brief = new BriefAdmin(adminProperties)) {
      List<String> open =
          brief
              .admin()
              .listTransactions(
                  new ListTransactionsOptions()
                      .filterStates(
                          List.of(
                              TransactionState.ONGOING,
                              TransactionState.PREPARE_COMMIT,
                              TransactionState.PREPARE_ABORT)))
              .all()
              .get(ADMIN_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
              .stream()
              .map(TransactionListing::transactionalId)
              .filter(id -> id.startsWith(prefix))
              .sorted()
              .toList();
      if (!open.isEmpty()) {
        throw new Refusal(
            Reason.TRANSACTIONS_OPEN,
            "transactions of this very copy are open ("
                + String.join(", ", open)
                + "): either it is running already, or a run of it was killed. Let the running one"
                + " be; after a killed one take up its last checkpoint with flink run -s, or wait"
                + " for the transaction timeout and begin again");
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new Refusal(
          Reason.KAFKA_UNREACHABLE,
          "the transactions on the Kafka brokers cannot be listed: " + e,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(
          Reason.KAFKA_UNREACHABLE,
          "interrupted while listing the transactions on the Kafka brokers",
          e);
    }
  }

  /** Reads the whole topic. */
  public Live beforeFirstShard() {
    Live.Counter live = new Live.Counter();
    new TopicScan(consumerProperties, topic, PATIENCE)
        .forEach(
            record -> {
              check(record);
              live.count(record);
            });
    LOG.info("Topic {} holds {} records from T on, none from before it.", topic, live.count);
    return live.result();
  }

  /**
   * A dual write's records: from T on, none of them this copy's.
   *
   * @param first where the first one stands that was met
   */
  public record Live(long count, Optional<String> first) {

    private static final class Counter {
      private long count;
      private Optional<String> first = Optional.empty();

      void count(ConsumerRecord<byte[], byte[]> record) {
        count++;
        if (first.isEmpty()) {
          first =
              Optional.of(at(record) + ", timestamp " + Instant.ofEpochMilli(record.timestamp()));
        }
      }

      Live result() {
        return new Live(count, first);
      }
    }
  }

  private static String at(ConsumerRecord<byte[], byte[]> record) {
    return "partition " + record.partition() + ", offset " + record.offset();
  }

  private void check(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> pin = OriginHeaders.text(record.headers(), OriginHeaders.PIN);
    String at = at(record);
    if (pin.equals(Optional.of(pinId))) {
      throw new Refusal(
          Reason.COPY_BEGUN,
          "topic "
              + topic
              + " already holds records of this copy ("
              + at
              + "). Take up its last checkpoint or savepoint with flink run -s; or, to begin again,"
              + " delete the topic's records first");
    }
    if (boundary.copies(record.timestamp())) {
      throw new Refusal(
          Reason.FOREIGN_RECORDS,
          "topic "
              + topic
              + " holds a record from before T that is not this copy's ("
              + at
              + ", timestamp "
              + Instant.ofEpochMilli(record.timestamp())
              + ", pin "
              + pin.orElse("none")
              + "; T is "
              + boundary.t()
              + "). Copied beside it, history would be doubled: use an empty topic, or pin a T"
              + " before the dual write began");
    }
  }
}
