package io.cutover.kafka;

/** How the copy's transactions are named. */
public final class TransactionalIds {

  private TransactionalIds() {}

  /**
   * The prefix of a copy's transactional ids. The pin id has a fixed length and stands in front of
   * the topic, so no prefix begins another: a sink aborts whatever begins with its own.
   */
  public static String prefix(String pinId, String topic) {
    return "cutover-" + pinId + "-" + topic;
  }
}
