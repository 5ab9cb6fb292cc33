package io.cutover.local.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;

/** Creates topics that are ready to be written when the call returns. */
final class Topics {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private Topics() {}

  static void create(
      String bootstrapServers, String name, int partitions, Map<String, String> config) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(config);
      await(admin.createTopics(List.of(topic)).all(), deadline);
      Map<TopicPartition, OffsetSpec> latest =
          IntStream.range(0, partitions)
              .mapToObj(partition -> new TopicPartition(name, partition))
              .collect(Collectors.toMap(Function.identity(), ignored -> OffsetSpec.latest()));
      while (!answered(admin.listOffsets(latest).all(), deadline)) {
        Thread.onSpinWait();
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "Topic %s with %d partitions and %s was not created on %s"
              .formatted(name, partitions, config, bootstrapServers),
          e);
    }
  }

  private static boolean answered(KafkaFuture<?> future, long deadline)
      throws ExecutionException, TimeoutException {
    try {
      await(future, deadline);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RetriableException) {
        return false;
      }
      throw e;
    }
  }

  private static void await(KafkaFuture<?> future, long deadline)
      throws ExecutionException, TimeoutException {
    try {
      future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a topic is created", e);
    }
  }
}
