package io.cutover.preflight;

import io.cutover.kafka.BriefAdmin;
import io.cutover.kafka.CopyTransactions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.TopicDescription;
import io.cutover.kafka.TransactionalIds;
import io.cutover.pin.Pin;
import io.cutover.preflight.Told.Why;
import io.cutover.preflight.TopicFacts.Described;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Asks the brokers everything that a preflight wants to know, at the same time once they answer at
 * all. What goes wrong is a fact like others. Takes at most half a minute. It begins no
 * transaction, but takes one transactional id of the copy, to see whether it may.
 */
final class TopicSurvey {

  private static final Duration FIRST_ANSWER = Duration.ofSeconds(12);
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final Duration TRANSACTION_ENDS_WITHIN = Duration.ofSeconds(3);
  private static final String BROKER_SETTING = "transaction.max.timeout.ms";

  private final KafkaClientProperties properties;
  private final Pin pin;
  private final Executor threads;

  TopicSurvey(KafkaClientProperties properties, Pin pin, Executor threads) {
    this.properties = properties;
    this.pin = pin;
    this.threads = threads;
  }

  TopicFacts facts() {
    try (BriefAdmin brief = new BriefAdmin(properties.admin())) {
      Told<Collection<Node>> brokers = told(brief.admin().describeCluster().nodes(), FIRST_ANSWER);
      return brokers.fold(
          nodes -> facts(brief.admin(), nodes),
          untold -> unanswered(Told.untold(Why.UNREACHABLE, untold.detail())));
    } catch (org.apache.kafka.common.KafkaException noClient) {
      Throwable cause = noClient.getCause() == null ? noClient : noClient.getCause();
      return unanswered(Told.untold(Why.UNREACHABLE, String.valueOf(cause.getMessage())));
    }
  }

  private TopicFacts facts(Admin admin, Collection<Node> brokers) {
    String name = pin.topic().name();
    var trial = later(() -> new TransactionTrial(properties, pin).outcome());
    var topic = later(() -> topic(admin, name));
    var config = later(() -> config(admin, name));
    var maximum = later(() -> brokersMaximum(admin, brokers));
    var ofCopy = later(() -> openOfCopy(admin));
    Told<Described> described = topic.join();
    return new TopicFacts(
        properties.bootstrapServers(),
        Told.known(true),
        described,
        config.join(),
        maximum.join(),
        described.fold(
            known ->
                new OpenTransactions(
                        admin, name, known.topic().partitions(), TRANSACTION_ENDS_WITHIN)
                    .ends()
                    .map(OpenTransactions.Ends::heldUp),
            untold -> Told.untold(untold.why(), untold.detail())),
        ofCopy.join(),
        trial.join());
  }

  private TopicFacts unanswered(Told<Boolean> brokers) {
    return new TopicFacts(
        properties.bootstrapServers(),
        brokers,
        Told.untold(Why.UNANSWERED, "not asked"),
        Told.untold(Why.UNANSWERED, "not asked"),
        Told.untold(Why.UNANSWERED, "not asked"),
        Told.untold(Why.UNANSWERED, "not asked"),
        Told.untold(Why.UNANSWERED, "not asked"),
        new TopicFacts.Trial(TopicFacts.Trial.Outcome.UNANSWERED, "not asked"));
  }

  private <T> CompletableFuture<T> later(java.util.function.Supplier<T> question) {
    return CompletableFuture.supplyAsync(question, threads);
  }

  private static Told<Described> topic(Admin admin, String name) {
    var asked =
        admin
            .describeTopics(
                List.of(name), new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues()
            .get(name);
    return told(asked, PATIENCE)
        .map(
            topic ->
                new Described(
                    TopicDescription.of(topic),
                    topic.partitions().stream()
                        .mapToInt(partition -> partition.replicas().size())
                        .min()
                        .orElse(0),
                    Optional.ofNullable(topic.authorizedOperations()).map(TopicSurvey::names)));
  }

  private static Set<String> names(Set<AclOperation> operations) {
    return operations.stream().map(AclOperation::name).collect(Collectors.toSet());
  }

  private static Told<Map<String, String>> config(Admin admin, String topic) {
    return config(admin, new ConfigResource(ConfigResource.Type.TOPIC, topic));
  }

  private static Told<Map<String, String>> config(Admin admin, ConfigResource resource) {
    return told(admin.describeConfigs(List.of(resource)).values().get(resource), PATIENCE)
        .map(
            config -> {
              Map<String, String> values = new HashMap<>();
              for (ConfigEntry entry : config.entries()) {
                if (entry.value() != null) {
                  values.put(entry.name(), entry.value());
                }
              }
              return values;
            });
  }

  /** The lowest maximum; unknown as soon as one broker does not tell. */
  private static Told<Long> brokersMaximum(Admin admin, Collection<Node> brokers) {
    long lowest = Long.MAX_VALUE;
    for (Node broker : brokers) {
      Told<Map<String, String>> config =
          config(admin, new ConfigResource(ConfigResource.Type.BROKER, broker.idString()));
      if (config instanceof Told.Untold<Map<String, String>> untold) {
        return Told.untold(untold.why(), untold.detail());
      }
      Optional<String> maximum =
          config
              .value()
              .map(values -> values.getOrDefault(BROKER_SETTING, ""))
              .filter(v -> !v.isEmpty());
      if (maximum.isEmpty()) {
        return Told.untold(Why.UNANSWERED, "broker " + broker.idString() + " does not tell it");
      }
      lowest = Math.min(lowest, Long.parseLong(maximum.get()));
    }
    return Told.known(lowest);
  }

  private Told<List<String>> openOfCopy(Admin admin) {
    String prefix = TransactionalIds.prefix(pin.id(), pin.topic().name());
    return told(admin.listTransactions(CopyTransactions.open()).all(), PATIENCE)
        .map(listed -> CopyTransactions.of(listed, prefix));
  }

  static <T> Told<T> told(KafkaFuture<T> answer, Duration patience) {
    try {
      return Told.known(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Told.untold(Why.UNANSWERED, "no answer within " + patience.toSeconds() + " s");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      String detail = String.valueOf(cause.getMessage());
      if (cause instanceof AuthorizationException) {
        return Told.untold(Why.DENIED, detail);
      }
      if (cause instanceof UnknownTopicOrPartitionException) {
        return Told.untold(Why.MISSING, detail);
      }
      return Told.untold(Why.UNANSWERED, detail);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Told.untold(Why.UNANSWERED, "interrupted");
    }
  }
}
