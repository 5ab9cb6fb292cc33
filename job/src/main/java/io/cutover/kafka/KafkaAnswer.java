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
   * @param right that it takes, for the message: the operation and what it is on
   * @throws Refusal when it does not exist, is denied, or does not come within 15 s
   */
  public static <T> T of(String servers, String what, String right, KafkaFuture<T> answer) {
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw refusal(servers, what, right, e.getCause());
    } catch (TimeoutException e) {
      throw refusal(servers, what, right, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refusal(servers, what, right, e);
    }
  }

  static Refusal refusal(String servers, String what, String right, Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new Refusal(
          Reason.TOPIC_MISSING,
          what
              + " does not exist on "
              + servers
              + ": create it with the partition count that it shall keep",
          cause);
    }
    if (cause instanceof AuthenticationException) {
      return new Refusal(
          Reason.KAFKA_DENIED,
          "Kafka at "
              + servers
              + " and this client do not take each other's credentials ("
              + cause.getMessage()
              + "): check the security settings in the file that "
              + KafkaOptions.CLIENT_PROPERTIES.key()
              + " names",
          cause);
    }
    if (cause instanceof AuthorizationException) {
      return denied(servers, what, right, cause);
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

  /**
   * The principal lacks a right.
   *
   * @param what was asked for
   * @param right the operation and what it is on
   */
  public static Refusal denied(String servers, String what, String right, Throwable cause) {
    return new Refusal(
        Reason.KAFKA_DENIED,
        "Kafka at "
            + servers
            + " denies "
            + what
            + " ("
            + cause.getMessage()
            + "): give the principal the right "
            + right,
        cause);
  }
}
