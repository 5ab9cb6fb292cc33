package io.cutover.preflight;

import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.LargestRecord;
import io.cutover.kafka.TransactionalIds;
import io.cutover.pin.Pin;
import io.cutover.preflight.TopicFacts.Trial;
import io.cutover.preflight.TopicFacts.Trial.Outcome;
import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Takes one transactional id under the copy's prefix, with its transaction timeout, as its sink
 * will. Begins no transaction, so nothing is held up or aborted; a running copy never uses the id.
 */
final class TransactionTrial {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Properties properties;

  TransactionTrial(KafkaClientProperties kafka, Pin pin) {
    properties = kafka.producer(new LargestRecord(pin.stream().maxRecordSizeKiB()));
    properties.setProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id(pin));
    properties.setProperty(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.toString(PATIENCE.toMillis()));
  }

  static String id(Pin pin) {
    return TransactionalIds.prefix(pin.id(), pin.topic().name()) + "-preflight";
  }

  Trial outcome() {
    KafkaProducer<byte[], byte[]> producer;
    try {
      producer =
          new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    } catch (KafkaException unusable) {
      Throwable cause = unusable.getCause() == null ? unusable : unusable.getCause();
      return new Trial(Outcome.UNANSWERED, String.valueOf(cause.getMessage()));
    }
    try {
      producer.initTransactions();
      return new Trial(Outcome.TAKEN, "taken");
    } catch (KafkaException refused) {
      return refused(refused);
    } finally {
      producer.close(CLOSE_TIMEOUT);
    }
  }

  private static Trial refused(KafkaException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthorizationException) {
        return new Trial(Outcome.DENIED, String.valueOf(cause.getMessage()));
      }
    }
    String message = String.valueOf(thrown.getMessage());
    // The client has no exception of its own for it. The right was looked at before the timeout.
    boolean tooLong = message.contains(Errors.INVALID_TRANSACTION_TIMEOUT.message());
    return new Trial(tooLong ? Outcome.TIMEOUT_TOO_LONG : Outcome.UNANSWERED, message);
  }
}
