package io.cutover.kafka;

import io.cutover.Refusal;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topic that takes the copy, as the brokers describe it. */
public final class Topic {

  private static final int TIMEOUT_SECONDS = 15;

  private Topic() {}

  /**
   * How many partitions the topic has.
   *
   * @throws Refusal when it does not exist, or the brokers do not answer within 15 s
   */
  public static int partitions(KafkaClientProperties properties, String topic) {
    String servers = properties.bootstrapServers();
    try (BriefAdmin brief = new BriefAdmin(properties.admin())) {
      return brief
          .admin()
          .describeTopics(List.of(topic))
          .topicNameValues()
          .get(topic)
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
          .partitions()
          .size();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new Refusal(
            "topic "
                + topic
                + " does not exist on "
                + servers
                + ": create it with the partition count that it shall keep");
      }
      throw unreachable(servers, e.getCause());
    } catch (TimeoutException | KafkaException e) {
      throw unreachable(servers, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unreachable(servers, e);
    }
  }

  private static Refusal unreachable(String servers, Throwable cause) {
    return new Refusal(
        "Kafka at "
            + servers
            + " gave no answer within "
            + TIMEOUT_SECONDS
            + " s: check "
            + KafkaOptions.BOOTSTRAP_SERVERS.key()
            + " and the client properties ("
            + cause
            + ")",
        cause);
  }
}
