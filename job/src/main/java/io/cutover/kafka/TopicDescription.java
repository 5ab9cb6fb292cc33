package io.cutover.kafka;

/**
 * A topic as the brokers describe it.
 *
 * @param id Kafka's own, which tells the topic from another that was created under its name
 */
public record TopicDescription(String name, String id, int partitions) {}
