package io.cutover.kafka;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Waits for what the brokers answer, and says what went wrong with it. */
public final class KafkaAnswer {

  private static final int TIMEOUT_SECONDS = 15;

  private KafkaAnswer() {}

  /**
   * The answer.
   *
   * @param what was asked for, for the message
   * @throws Refusal when it does not exist, is denied, or does not come within 15 s
   */
  public static <T> T of(String servers, String what, KafkaFuture<T> answer) {
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw refusal(servers, what, e.getCause());
    } catch (TimeoutException e) {
      throw refusal(servers, what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refusal(servers, what, e);
    }
  }

  static Refusal refusal(String servers, String what, Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new Refusal(
          Reason.TOPIC_MISSING,
          what
              + " does not exist on "
              + servers
              + ": create it with the partition count that it shall keep",
          cause);
    }
    if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
      return new Refusal(
          Reason.KAFKA_DENIED,
          "Kafka at "
              + servers
              + " denies "
              + what
              + " ("
              + cause.getMessage()
              + "): check the credentials in the file that "
              + KafkaOptions.CLIENT_PROPERTIES.key()
              + " names, and the principal's rights",
          cause);
    }
    return new Refusal(
        Reason.KAFKA_UNREACHABLE,
        "Kafka at "
            + servers
            + " gave no answer on "
            + what
            + " within "
            + TIMEOUT_SECONDS
            + " s: check "
            + KafkaOptions.BOOTSTRAP_SERVERS.key()
            + " and the client properties ("
            + cause
            + ")",
        cause);
  }
}
