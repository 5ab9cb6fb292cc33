package io.cutover.kafka;

/**
 * A topic as the brokers describe it.
 *
 * @param id Kafka's own, which tells the topic from another that was created under its name
 */
public record TopicDescription(String name, String id, int partitions) {

  /** Of what the admin client was told. */
  public static TopicDescription of(org.apache.kafka.clients.admin.TopicDescription topic) {
    return new TopicDescription(
        topic.name(), topic.topicId().toString(), topic.partitions().size());
  }
}
