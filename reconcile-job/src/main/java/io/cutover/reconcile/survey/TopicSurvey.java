package io.cutover.reconcile.survey;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.BriefAdmin;
import io.cutover.kafka.KafkaAnswer;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.TopicDescription;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.preflight.OpenTransactions;
import io.cutover.preflight.Told;
import io.cutover.reconcile.plan.TopicOffsets;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/** Looks at the topic before it is read: whether it is the pinned one, and what of it there is. */
final class TopicSurvey {

  private static final String READ = "Read";
  private static final String DESCRIBE_CONFIGS = "DescribeConfigs";
  private static final Optional<Verdict> INCONCLUSIVE = Optional.of(Verdict.INCONCLUSIVE);

  private final Configuration config;
  private final KafkaClientProperties kafka;
  private final Pin pin;
  private final List<Finding> findings;

  /**
   * @param findings to which is added what it finds
   */
  TopicSurvey(Configuration config, KafkaClientProperties kafka, Pin pin, List<Finding> findings) {
    this.config = config;
    this.kafka = kafka;
    this.pin = pin;
    this.findings = findings;
  }

  /**
   * What is to be read of each partition.
   *
   * @return nothing when the topic is not the pinned one any more, or cannot be read to its end
   * @throws Refusal when the brokers do not answer
   */
  List<TopicOffsets> offsets(Instant now) {
    try (BriefAdmin brief = new BriefAdmin(kafka.admin())) {
      Admin admin = brief.admin();
      if (!stillPinned(admin)) {
        return List.of();
      }
      Map<Integer, Long> begins = begins(admin);
      OpenTransactions.Ends ends = ends(admin);
      if (!ends.heldUp().isEmpty()) {
        findings.add(heldUp(ends.heldUp()));
        return List.of();
      }
      logStart(begins);
      retention(admin, now);
      List<TopicOffsets> offsets = new ArrayList<>();
      begins.forEach(
          (partition, begin) ->
              offsets.add(
                  new TopicOffsets(partition, begin, ends.highWatermarks().get(partition))));
      return offsets;
    }
  }

  private boolean stillPinned(Admin admin) {
    var described =
        answer(
            "topic " + pin.topic().name(),
            READ,
            admin
                .describeTopics(
                    List.of(pin.topic().name()),
                    new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues()
                .get(pin.topic().name()));
    refuseUnlessReadable(described);
    TopicDescription topic = TopicDescription.of(described);
    try {
      PinCheck.topic(pin, topic);
      PinCheck.partitions(pin, topic);
      return true;
    } catch (Refusal refusal) {
      findings.add(
          Finding.of(
              refusal.reason() == Reason.TOPIC_RECREATED
                  ? FindingCode.TOPIC_RECREATED
                  : FindingCode.TOPIC_REPARTITIONED,
              INCONCLUSIVE,
              1,
              refusal.getMessage()));
      return false;
    }
  }

  /** Said before anything is read; brokers that do not tell will show it then. */
  private void refuseUnlessReadable(org.apache.kafka.clients.admin.TopicDescription described) {
    Set<AclOperation> rights = described.authorizedOperations();
    if (rights != null && !rights.contains(AclOperation.READ)) {
      throw KafkaAnswer.denied(
          kafka.bootstrapServers(),
          "the records of topic " + described.name(),
          right(READ),
          new TopicAuthorizationException("may be described, but not read"));
    }
  }

  private <T> T answer(String what, String operation, KafkaFuture<T> future) {
    return KafkaAnswer.of(kafka.bootstrapServers(), what, right(operation), future);
  }

  private String right(String operation) {
    return operation + " on topic " + pin.topic().name();
  }

  private Map<Integer, Long> begins(Admin admin) {
    Map<TopicPartition, OffsetSpec> earliest = new HashMap<>();
    for (int partition = 0; partition < pin.topic().partitions(); partition++) {
      earliest.put(new TopicPartition(pin.topic().name(), partition), OffsetSpec.earliest());
    }
    Map<Integer, Long> begins = new TreeMap<>();
    answer("the offsets of topic " + pin.topic().name(), READ, admin.listOffsets(earliest).all())
        .forEach((partition, result) -> begins.put(partition.partition(), result.offset()));
    return begins;
  }

  private OpenTransactions.Ends ends(Admin admin) {
    Told<OpenTransactions.Ends> ends =
        new OpenTransactions(
                admin,
                pin.topic().name(),
                pin.topic().partitions(),
                config.get(ReconcileOptions.OPEN_TRANSACTION_TIMEOUT))
            .ends();
    return ends.fold(
        known -> known,
        untold -> {
          throw new Refusal(
              Reason.KAFKA_UNREACHABLE,
              "Kafka at "
                  + kafka.bootstrapServers()
                  + " did not tell the ends of topic "
                  + pin.topic().name()
                  + ": "
                  + untold.detail());
        });
  }

  private Finding heldUp(List<OpenTransactions.HeldUp> heldUp) {
    return new Finding(
        FindingCode.OPEN_TRANSACTION,
        INCONCLUSIVE,
        heldUp.size(),
        heldUp.size()
            + " of "
            + pin.topic().partitions()
            + " partitions cannot be read to the end: for "
            + config.get(ReconcileOptions.OPEN_TRANSACTION_TIMEOUT).toSeconds()
            + " s a transaction has been open there, which hides what stands behind it. End its"
            + " producer, or wait for its timeout, and reconcile again.",
        heldUp.stream()
            .map(
                held ->
                    "partition "
                        + held.partition()
                        + ": readable to offset "
                        + held.lastStable()
                        + " of "
                        + held.highWatermark()
                        + ", held up by "
                        + held.by())
            .toList());
  }

  private void logStart(Map<Integer, Long> begins) {
    List<String> moved =
        begins.entrySet().stream()
            .filter(begin -> begin.getValue() > 0)
            .map(begin -> "partition " + begin.getKey() + " begins at offset " + begin.getValue())
            .toList();
    if (!moved.isEmpty()) {
      findings.add(
          new Finding(
              FindingCode.LOG_START_MOVED,
              Optional.empty(),
              moved.size(),
              moved.size()
                  + " of "
                  + begins.size()
                  + " partitions begin behind offset 0 by now: retention, or somebody, has"
                  + " deleted records from them.",
              moved));
    }
  }

  /** A verdict does not hang on it: the records tell whether any are missing by now. */
  private void retention(Admin admin, Instant now) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, pin.topic().name());
    try {
      Config topic =
          answer(
              "the settings of topic " + pin.topic().name(),
              DESCRIBE_CONFIGS,
              admin.describeConfigs(List.of(resource)).values().get(resource));
      Optional.ofNullable(topic.get("retention.ms"))
          .map(ConfigEntry::value)
          .map(Long::parseLong)
          .filter(millis -> millis >= 0 && tooShort(Duration.ofMillis(millis), now))
          .ifPresent(millis -> findings.add(retentionShort(millis)));
    } catch (Refusal denied) {
      if (denied.reason() != Reason.KAFKA_DENIED) {
        throw denied;
      }
      findings.add(retentionUnknown());
    }
  }

  private boolean tooShort(Duration retention, Instant now) {
    return pin.oldestArrival().orElse(pin.start()).isBefore(now.minus(retention));
  }

  private Finding retentionUnknown() {
    return Finding.of(
        FindingCode.RETENTION_UNKNOWN,
        Optional.empty(),
        1,
        "Whether the topic's retention will delete the copy is not known: the principal lacks the"
            + " right "
            + right(DESCRIBE_CONFIGS)
            + ". Give it that right, or see to it that retention.ms is -1 until the cutover is"
            + " over.");
  }

  private static Finding retentionShort(long millis) {
    return Finding.of(
        FindingCode.RETENTION_SHORT,
        Optional.empty(),
        1,
        "retention.ms of the topic is "
            + millis
            + ", shorter than the history that it holds: the copy is deleted as its segments roll."
            + " Set retention.ms=-1 until the cutover is over.");
  }
}
