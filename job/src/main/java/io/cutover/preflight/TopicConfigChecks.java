package io.cutover.preflight;

import static io.cutover.preflight.CheckName.TOPIC_CLEANUP_POLICY;
import static io.cutover.preflight.CheckName.TOPIC_MIN_ISR;
import static io.cutover.preflight.CheckName.TOPIC_RECORD_SIZE;
import static io.cutover.preflight.CheckName.TOPIC_RETENTION;
import static io.cutover.preflight.CheckName.TOPIC_RETENTION_BYTES;
import static io.cutover.preflight.CheckName.TOPIC_TIMESTAMP_BEFORE;
import static io.cutover.preflight.CheckName.TOPIC_TIMESTAMP_TYPE;
import static io.cutover.preflight.CheckName.TOPIC_UNCLEAN_ELECTION;

import io.cutover.preflight.Told.Why;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the topic's settings must be. A setting that the principal may not see, or that the brokers
 * leave out, is unknown.
 */
final class TopicConfigChecks {

  private static final String BEFORE = "message.timestamp.before.max.ms";

  /** What brokers before 3.6 have instead. */
  private static final String DIFFERENCE = "message.timestamp.difference.max.ms";

  private final Told<Map<String, String>> config;
  private final Need need;
  private final int replicas;
  private final KafkaCommands commands;

  TopicConfigChecks(
      Told<Map<String, String>> config, Need need, int replicas, KafkaCommands commands) {
    this.config = config;
    this.need = need;
    this.replicas = replicas;
    this.commands = commands;
  }

  List<Check> all() {
    return List.of(
        exactly(TOPIC_TIMESTAMP_TYPE, "message.timestamp.type", "CreateTime"),
        before(),
        retention(),
        exactly(TOPIC_RETENTION_BYTES, "retention.bytes", "-1"),
        exactly(TOPIC_CLEANUP_POLICY, "cleanup.policy", "delete"),
        recordSize(),
        minInSync(),
        exactly(TOPIC_UNCLEAN_ELECTION, "unclean.leader.election.enable", "false"));
  }

  private interface Judge {
    Check of(String value);
  }

  private Check judged(CheckName name, String setting, String wanted, Judge judge) {
    Optional<String> value = config.value().map(values -> values.getOrDefault(setting, ""));
    if (value.isPresent() && !value.get().isEmpty()) {
      return judge.of(value.get());
    }
    boolean denied = config instanceof Told.Untold<?> untold && untold.why() == Why.DENIED;
    return Check.unknown(
        name,
        setting
            + ": "
            + config.fold(
                told -> "not told", untold -> denied ? "may not be described" : untold.detail()),
        wanted,
        denied
            ? commands.allowOnTopic(List.of("DescribeConfigs"))
            : Remedy.advice("see to it that " + setting + " is as wanted, then waive " + name));
  }

  private Check exactly(CheckName name, String setting, String wanted) {
    return judged(
        name,
        setting,
        wanted,
        value ->
            Check.of(
                name,
                value.equals(wanted),
                setting + " " + value,
                wanted,
                commands.alterTopic(setting, wanted)));
  }

  private Check before() {
    boolean old =
        config
            .value()
            .map(values -> !values.containsKey(BEFORE) && values.containsKey(DIFFERENCE))
            .orElse(false);
    String setting = old ? DIFFERENCE : BEFORE;
    String wanted =
        "at least "
            + Spelled.duration(need.backdating())
            + ": the oldest record's age, and a month";
    return judged(
        TOPIC_TIMESTAMP_BEFORE,
        setting,
        wanted,
        value ->
            Check.of(
                TOPIC_TIMESTAMP_BEFORE,
                Long.parseLong(value) >= need.backdating().toMillis(),
                setting + " " + spelled(value),
                wanted,
                commands.alterTopic(setting, Long.toString(Long.MAX_VALUE))));
  }

  /** A segment goes when its newest timestamp is older than this, and ours are all old. */
  private Check retention() {
    String wanted =
        "-1, or at least " + Spelled.duration(need.retention()) + ": history and a month";
    return judged(
        TOPIC_RETENTION,
        "retention.ms",
        wanted,
        value -> {
          long millis = Long.parseLong(value);
          return Check.of(
              TOPIC_RETENTION,
              millis == -1 || millis >= need.retention().toMillis(),
              "retention.ms " + spelled(value),
              wanted,
              commands.alterTopic("retention.ms", "-1"));
        });
  }

  private static String spelled(String millis) {
    long value = Long.parseLong(millis);
    if (value < 0) {
      return millis;
    }
    return value == Long.MAX_VALUE ? "unlimited" : Spelled.millis(value);
  }

  private Check recordSize() {
    int needed = need.largest().bytes();
    String wanted =
        "at least " + needed + ": " + need.recordKiB() + " KiB of data with key and headers";
    return judged(
        TOPIC_RECORD_SIZE,
        "max.message.bytes",
        wanted,
        value ->
            Check.of(
                TOPIC_RECORD_SIZE,
                Long.parseLong(value) >= needed,
                "max.message.bytes " + value,
                wanted,
                commands.alterTopic("max.message.bytes", Integer.toString(needed))));
  }

  /**
   * Asked of topics with three replicas or more. One with fewer was chosen so, for a laptop or a
   * trial; it passes, and the row says what it means.
   */
  private Check minInSync() {
    String setting = "min.insync.replicas";
    boolean asked = replicas >= 3;
    String wanted = asked ? "at least 2" : "at least 2, with 3 replicas or more";
    return judged(
        TOPIC_MIN_ISR,
        setting,
        wanted,
        value ->
            Check.of(
                TOPIC_MIN_ISR,
                !asked || Integer.parseInt(value) >= 2,
                setting
                    + " "
                    + value
                    + " of "
                    + replicas
                    + (replicas == 1 ? ": a lost disk loses the copy" : ""),
                wanted,
                commands.alterTopic(setting, "2")));
  }
}
