package io.cutover.preflight;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Which partitions of a topic an open transaction holds up. A dual write may have one open at any
 * moment, so a transaction counts only when it does not end within some time.
 */
public final class OpenTransactions {

  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final long PAUSE_MILLIS = 250;

  private final Admin admin;
  private final Duration endWithin;
  private final List<TopicPartition> partitions;

  /**
   * A partition whose last stable offset stands before its end.
   *
   * @param by the producer, with its transactional id where that may be described
   */
  public record HeldUp(int partition, long lastStable, long highWatermark, String by) {}

  /**
   * How far a topic reached when it was looked at.
   *
   * @param highWatermarks by partition
   * @param heldUp the partitions that cannot be read so far; none where all can
   */
  public record Ends(Map<Integer, Long> highWatermarks, List<HeldUp> heldUp) {}

  /**
   * @param endWithin how long a transaction may stay open
   */
  public OpenTransactions(Admin admin, String topic, int partitions, Duration endWithin) {
    this.admin = admin;
    this.endWithin = endWithin;
    this.partitions =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
  }

  /** Where the topic ends now, once all that stands before those ends can be read. */
  public Told<Ends> ends() {
    Told<Map<TopicPartition, Long>> ends = offsets(partitions, IsolationLevel.READ_UNCOMMITTED);
    if (ends instanceof Told.Untold<Map<TopicPartition, Long>> untold) {
      return Told.untold(untold.why(), untold.detail());
    }
    Map<TopicPartition, Long> highWatermarks = ends.value().orElseThrow();
    long deadline = System.nanoTime() + endWithin.toNanos();
    while (true) {
      Told<Map<TopicPartition, Long>> stable = offsets(partitions, IsolationLevel.READ_COMMITTED);
      if (stable instanceof Told.Untold<Map<TopicPartition, Long>> untold) {
        return Told.untold(untold.why(), untold.detail());
      }
      // By partition number, for the message.
      Map<TopicPartition, Long> behind =
          new TreeMap<>(java.util.Comparator.comparingInt(TopicPartition::partition));
      stable.value().orElseThrow().forEach(behind::put);
      behind.entrySet().removeIf(e -> e.getValue() >= highWatermarks.get(e.getKey()));
      if (behind.isEmpty()) {
        return Told.known(new Ends(byNumber(highWatermarks), List.of()));
      }
      if (System.nanoTime() - deadline > 0) {
        return Told.known(new Ends(byNumber(highWatermarks), named(behind, highWatermarks)));
      }
      pause();
    }
  }

  private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
    Map<Integer, Long> byNumber = new TreeMap<>();
    offsets.forEach((partition, offset) -> byNumber.put(partition.partition(), offset));
    return byNumber;
  }

  private Told<Map<TopicPartition, Long>> offsets(
      Collection<TopicPartition> of, IsolationLevel level) {
    Map<TopicPartition, OffsetSpec> latest =
        of.stream().collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.latest()));
    return TopicSurvey.told(
            admin.listOffsets(latest, new ListOffsetsOptions(level)).all(), PATIENCE)
        .map(
            known -> {
              Map<TopicPartition, Long> offsets = new HashMap<>();
              known.forEach((partition, result) -> offsets.put(partition, result.offset()));
              return offsets;
            });
  }

  private List<HeldUp> named(
      Map<TopicPartition, Long> behind, Map<TopicPartition, Long> highWatermarks) {
    Map<TopicPartition, Long> producers = producers(behind.keySet());
    Map<Long, String> ids = transactionalIds(Set.copyOf(producers.values()));
    List<HeldUp> heldUp = new ArrayList<>();
    behind.forEach(
        (partition, lastStable) -> {
          Long producer = producers.get(partition);
          String name =
              producer == null
                  ? "a producer that the brokers do not name"
                  : "producer "
                      + producer
                      + " ("
                      + ids.getOrDefault(
                          producer,
                          "hanging, or of a transactional id on which the principal lacks the right"
                              + " Describe")
                      + ")";
          heldUp.add(
              new HeldUp(partition.partition(), lastStable, highWatermarks.get(partition), name));
        });
    return heldUp;
  }

  private Map<TopicPartition, Long> producers(Set<TopicPartition> of) {
    Map<TopicPartition, Long> producers = new HashMap<>();
    TopicSurvey.told(admin.describeProducers(of).all(), PATIENCE)
        .value()
        .ifPresent(
            states ->
                states.forEach(
                    (partition, state) ->
                        state.activeProducers().stream()
                            .filter(p -> p.currentTransactionStartOffset().isPresent())
                            .map(ProducerState::producerId)
                            .findFirst()
                            .ifPresent(id -> producers.put(partition, id))));
    return producers;
  }

  private Map<Long, String> transactionalIds(Set<Long> producers) {
    Map<Long, String> ids = new HashMap<>();
    TopicSurvey.told(
            admin
                .listTransactions(new ListTransactionsOptions().filterProducerIds(producers))
                .all(),
            PATIENCE)
        .value()
        .ifPresent(
            listed -> listed.forEach(one -> ids.put(one.producerId(), one.transactionalId())));
    return ids;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking at open transactions", e);
    }
  }
}
