package io.cutover.kafka;

import java.util.List;

/** The topic that takes the copy. */
public final class Topic {

  private Topic() {}

  /**
   * What the brokers say of it.
   *
   * @throws io.cutover.Refusal when it does not exist, may not be described, or the brokers do not
   *     answer within 15 s
   */
  public static TopicDescription describe(KafkaClientProperties properties, String topic) {
    try (BriefAdmin brief = new BriefAdmin(properties.admin())) {
      return TopicDescription.of(
          KafkaAnswer.of(
              properties.bootstrapServers(),
              "topic " + topic,
              "Describe on topic " + topic + ", which comes with Read or Write",
              brief.admin().describeTopics(List.of(topic)).topicNameValues().get(topic)));
    }
  }
}
