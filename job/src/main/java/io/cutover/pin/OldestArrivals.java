package io.cutover.pin;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import io.cutover.lineage.Lineage;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin.OldestArrival;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the first record that the oldest shards of a lineage still hold. Asks for one record a
 * call, 5 calls a second and shard at most; an empty page is not the end, and a throttled call is
 * repeated. Runs on the client.
 */
final class OldestArrivals {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(250, TimeUnit.MILLISECONDS);

  private final KinesisStream stream;
  private final Semaphore underWay;
  private final long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();

  /**
   * @param concurrency how many shards are asked at once
   */
  OldestArrivals(KinesisStream stream, int concurrency) {
    this.stream = stream;
    this.underWay = new Semaphore(concurrency);
  }

  /**
   * Of each shard without a listed parent; and since a closed one that holds nothing any more says
   * nothing about what expires next, of the children of each such.
   *
   * @throws Refusal when a shard shows neither a record nor its end within two minutes
   */
  List<OldestArrival> of(Lineage lineage) {
    List<OldestArrival> found = new ArrayList<>();
    Set<String> asked = new LinkedHashSet<>();
    for (Shard shard : lineage.shards()) {
      if (lineage.listedParents(shard).isEmpty()) {
        asked.add(shard.id());
      }
    }
    List<String> next = List.copyOf(asked);
    while (!next.isEmpty()) {
      List<OldestArrival> answers = of(next);
      found.addAll(answers);
      next =
          answers.stream()
              .filter(answer -> answer.arrival().isEmpty())
              .flatMap(answer -> lineage.children(answer.shard()).stream())
              .map(Shard::id)
              .filter(asked::add)
              .toList();
    }
    return found;
  }

  private List<OldestArrival> of(List<String> shardIds) {
    List<CompletableFuture<OldestArrival>> asked = new ArrayList<>();
    for (String id : shardIds) {
      underWay.acquireUninterruptibly();
      asked.add(probe(id).whenComplete((found, failure) -> underWay.release()));
    }
    return asked.stream().map(OldestArrivals::joined).toList();
  }

  private CompletableFuture<OldestArrival> probe(String shardId) {
    return answered(shardId, () -> stream.iterator(shardId, new Position.TrimHorizon()))
        .thenCompose(iterator -> firstRecord(shardId, iterator))
        .thenApply(arrival -> new OldestArrival(shardId, arrival));
  }

  private CompletableFuture<Optional<Instant>> firstRecord(String shardId, String iterator) {
    return answered(shardId, () -> stream.page(iterator, 1))
        .thenCompose(
            page -> {
              if (!page.records().isEmpty()) {
                long arrival = page.records().get(0).arrivalMillis();
                return CompletableFuture.completedFuture(
                    Optional.of(Instant.ofEpochMilli(arrival)));
              }
              return next(shardId, page);
            });
  }

  private CompletableFuture<Optional<Instant>> next(String shardId, Page page) {
    if (page.nextIterator().isEmpty() || page.atTip()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    checkPatience(shardId, Optional.empty());
    return CompletableFuture.supplyAsync(() -> page.nextIterator().orElseThrow(), LATER)
        .thenCompose(iterator -> firstRecord(shardId, iterator));
  }

  /** Repeats a call that is throttled or meets a broken connection. */
  private <T> CompletableFuture<T> answered(String shardId, Call<T> call) {
    return call.begin()
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(answer);
              }
              KinesisFailure kind = KinesisFailure.of(failure);
              if (kind != KinesisFailure.THROTTLED && kind != KinesisFailure.TRANSIENT) {
                return CompletableFuture.<T>failedFuture(failure);
              }
              checkPatience(shardId, Optional.of(failure));
              return CompletableFuture.supplyAsync(() -> call, LATER)
                  .thenCompose(again -> answered(shardId, again));
            })
        .thenCompose(next -> next);
  }

  private interface Call<T> {
    CompletableFuture<T> begin();
  }

  private void checkPatience(String shardId, Optional<Throwable> failure) {
    if (System.nanoTime() - deadlineNanos > 0) {
      throw new Refusal(
          Reason.KINESIS_UNREACHABLE,
          "shard "
              + shardId
              + " showed neither a record nor its end within "
              + PATIENCE
              + failure.map(last -> " (" + last.getMessage() + ")").orElse("")
              + ", so it is not known what is about to expire: run pin again when the stream has"
              + " read capacity to spare");
    }
  }

  private static <T> T joined(CompletableFuture<T> asked) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
