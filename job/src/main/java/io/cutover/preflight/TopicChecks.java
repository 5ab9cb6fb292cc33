package io.cutover.preflight;

import static io.cutover.preflight.CheckName.KAFKA_REACHABLE;
import static io.cutover.preflight.CheckName.PRODUCER_BUFFER;
import static io.cutover.preflight.CheckName.PRODUCER_REQUEST_SIZE;
import static io.cutover.preflight.CheckName.TOPIC_EXISTS;
import static io.cutover.preflight.CheckName.TOPIC_PARTITIONS;
import static io.cutover.preflight.CheckName.TOPIC_PINNED;
import static io.cutover.preflight.CheckName.TOPIC_RIGHTS;

import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.pin.Pin;
import io.cutover.preflight.Told.Why;
import io.cutover.preflight.TopicFacts.Described;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.configuration.ReadableConfig;

/** What the topic must be for the copy to begin. Asks nobody. */
final class TopicChecks {

  /** What the copy, and reading it back, take; DescribeConfigs is asked for by what needs it. */
  private static final List<String> RIGHTS = List.of("READ", "WRITE", "DESCRIBE");

  private final TopicFacts facts;
  private final ReadableConfig config;
  private final KafkaClientProperties kafka;
  private final Pin pin;
  private final Need need;
  private final KafkaCommands commands;

  TopicChecks(
      TopicFacts facts, ReadableConfig config, KafkaClientProperties kafka, Pin pin, Need need) {
    this.facts = facts;
    this.config = config;
    this.kafka = kafka;
    this.pin = pin;
    this.need = need;
    this.commands = new KafkaCommands(facts.address(), pin.topic().name(), config);
  }

  /** Without an answer one row; without a topic those that are not about it. */
  List<Check> all() {
    String wanted = "an answer from " + facts.address();
    return facts
        .brokers()
        .fold(
            answered -> {
              List<Check> checks = new ArrayList<>();
              checks.add(Check.pass(KAFKA_REACHABLE, "answers", wanted));
              checks.addAll(facts.topic().fold(this::ofTopic, this::withoutTopic));
              checks.add(requestSize());
              checks.add(buffer());
              checks.addAll(new TransactionChecks(facts, config, kafka, pin, commands).all());
              return checks;
            },
            untold ->
                List.of(
                    Check.fail(
                        KAFKA_REACHABLE,
                        untold.detail(),
                        wanted,
                        Remedy.advice(
                            "check "
                                + KafkaOptions.BOOTSTRAP_SERVERS.key()
                                + ", the security settings in the file that "
                                + KafkaOptions.CLIENT_PROPERTIES.key()
                                + " names, and the network between"))));
  }

  private List<Check> withoutTopic(Told.Untold<Described> untold) {
    String wanted = "topic " + pin.topic().name();
    if (untold.why() == Why.MISSING) {
      return List.of(
          Check.fail(
              TOPIC_EXISTS,
              "does not exist",
              wanted,
              Remedy.advice(
                  "the pinned topic was deleted, with what it held: create one with the partition"
                      + " count that it shall keep, and pin anew with another cutover.dir")));
    }
    if (untold.why() == Why.DENIED) {
      return List.of(
          Check.fail(
              TOPIC_RIGHTS,
              "may not be described: " + untold.detail(),
              String.join(", ", RIGHTS),
              commands.allowOnTopic(List.of("Read", "Write", "Describe"))));
    }
    return List.of(
        Check.unknown(TOPIC_EXISTS, untold.detail(), wanted, Remedy.advice("run preflight again")));
  }

  private List<Check> ofTopic(Described described) {
    List<Check> checks = new ArrayList<>();
    checks.add(Check.pass(TOPIC_EXISTS, "exists", "topic " + pin.topic().name()));
    checks.add(rights(described));
    checks.add(pinned(described));
    checks.add(partitions(described));
    checks.addAll(
        new TopicConfigChecks(facts.config(), need, described.replicas(), commands).all());
    return checks;
  }

  private Check rights(Described described) {
    String wanted = String.join(", ", RIGHTS);
    if (described.rights().isEmpty()) {
      return Check.unknown(
          TOPIC_RIGHTS,
          "the brokers do not tell",
          wanted,
          Remedy.advice("see to it that the principal has them"));
    }
    Set<String> rights = described.rights().get();
    List<String> missing = RIGHTS.stream().filter(right -> !rights.contains(right)).toList();
    return Check.of(
        TOPIC_RIGHTS,
        missing.isEmpty(),
        missing.isEmpty() ? "all three" : "lacks " + String.join(", ", missing),
        wanted,
        commands.allowOnTopic(missing.stream().map(TopicChecks::capitalized).toList()));
  }

  private static String capitalized(String operation) {
    return operation.charAt(0) + operation.substring(1).toLowerCase(java.util.Locale.ROOT);
  }

  private Check pinned(Described described) {
    return Check.of(
        TOPIC_PINNED,
        described.topic().id().equals(pin.topic().id()),
        "id " + described.topic().id(),
        "id " + pin.topic().id(),
        Remedy.advice(
            "the topic was deleted and created again, and what had been copied is gone: pin anew,"
                + " with another cutover.dir"));
  }

  private Check partitions(Described described) {
    int found = described.topic().partitions();
    int frozen = pin.topic().partitions();
    return Check.of(
        TOPIC_PARTITIONS,
        found == frozen,
        Integer.toString(found),
        frozen + ", as frozen by the pin",
        Remedy.advice(
            "a topic's partitions cannot be taken away: create a topic with the count that it"
                + " shall keep, and pin anew with another cutover.dir"));
  }

  private Check requestSize() {
    return producerSetting(
        PRODUCER_REQUEST_SIZE, "max.request.size", "before compression, for the largest record");
  }

  private Check buffer() {
    return producerSetting(PRODUCER_BUFFER, "buffer.memory", "for the largest record");
  }

  /** What the file does not state the job sets itself, so that only the file can be wrong. */
  private Check producerSetting(CheckName name, String setting, String what) {
    int needed = need.largest().bytes();
    Properties producer = kafka.producer(need.largest());
    String found = producer.getProperty(setting);
    return Check.of(
        name,
        atLeast(found, needed),
        setting + " " + found,
        "at least " + needed + ", " + what,
        Remedy.advice(
            "in the file that "
                + KafkaOptions.CLIENT_PROPERTIES.key()
                + " names: "
                + setting
                + "="
                + need.largest().settings().getProperty(setting)
                + ", or no such line"));
  }

  private static boolean atLeast(String found, long needed) {
    try {
      return Long.parseLong(found.strip()) >= needed;
    } catch (NumberFormatException notANumber) {
      return false;
    }
  }
}
