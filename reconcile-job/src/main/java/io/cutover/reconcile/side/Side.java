package io.cutover.reconcile.side;

/** What a subtask of either side found; the other side's part is empty. */
public record Side(StreamAccount stream, TopicAccount topic) {

  static Side of(StreamAccount stream) {
    return new Side(stream, TopicAccount.nothing());
  }

  static Side of(TopicAccount topic) {
    return new Side(StreamAccount.nothing(), topic);
  }

  public static Side nothing() {
    return new Side(StreamAccount.nothing(), TopicAccount.nothing());
  }

  public Side plus(Side other) {
    return new Side(stream.plus(other.stream), topic.plus(other.topic));
  }
}
