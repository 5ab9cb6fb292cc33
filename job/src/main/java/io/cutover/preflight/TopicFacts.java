package io.cutover.preflight;

import io.cutover.kafka.TopicDescription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What was learnt of the topic and its brokers.
 *
 * @param address the bootstrap servers
 * @param brokers whether they answer at all
 * @param config the topic's settings, defaults included
 * @param transactionMaxTimeoutMillis the lowest of the brokers'
 * @param openOnTopic the partitions that an open transaction holds up
 * @param openOfCopy transactional ids of this very copy with an open transaction
 * @param trial what came of taking a transactional id of the copy
 */
record TopicFacts(
    String address,
    Told<Boolean> brokers,
    Told<Described> topic,
    Told<Map<String, String>> config,
    Told<Long> transactionMaxTimeoutMillis,
    Told<List<OpenTransactions.HeldUp>> openOnTopic,
    Told<List<String>> openOfCopy,
    Trial trial) {

  /**
   * The topic.
   *
   * @param replicas of the partition that has the fewest
   * @param rights the names of the operations that the principal may do, where the brokers tell
   */
  record Described(TopicDescription topic, int replicas, Optional<Set<String>> rights) {}

  /** What came of taking a transactional id of the copy, with its transaction timeout. */
  record Trial(Outcome outcome, String detail) {
    enum Outcome {
      TAKEN,
      DENIED,
      /** The principal may, but the broker's maximum is below the timeout. */
      TIMEOUT_TOO_LONG,
      UNANSWERED
    }
  }
}
