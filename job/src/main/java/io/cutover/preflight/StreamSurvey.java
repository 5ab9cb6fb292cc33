package io.cutover.preflight;

import io.cutover.Refusal;
import io.cutover.UsageException;
import io.cutover.kinesis.KinesisFailure;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.Position;
import io.cutover.kinesis.StreamDescription;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.preflight.Told.Why;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.flink.configuration.ReadableConfig;

/**
 * Asks the stream everything that a preflight wants to know, one cheap call for each right that the
 * copy needs. What goes wrong is a fact like others. Takes at most half a minute.
 */
final class StreamSurvey {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int ATTEMPTS = 5;
  private static final long PAUSE_MILLIS = 500;

  private final ReadableConfig config;
  private final Pin pin;
  private final Executor threads;

  StreamSurvey(ReadableConfig config, Pin pin, Executor threads) {
    this.config = config;
    this.pin = pin;
    this.threads = threads;
  }

  /**
   * @throws UsageException when the configuration makes no client
   */
  StreamFacts facts() {
    try (KinesisStream door = new KinesisStream(config, 4)) {
      Told<StreamDescription> stream = asked(door::describe);
      boolean silent =
          stream.fold(
              known -> false, untold -> untold.why() != Why.DENIED && untold.why() != Why.MISSING);
      if (silent) {
        return unanswered(stream);
      }
      Told<List<Shard>> shards = later(door::shards).join();
      String probed = probed(shards.value().orElse(pin.shards()));
      Told<String> iterator =
          later(() -> door.iterator(probed, new Position.TrimHorizon()).join()).join();
      Told<Boolean> page =
          iterator.fold(
              given -> later(() -> door.page(given, 1).join().records().size() <= 1).join(),
              untold -> Told.untold(Why.UNANSWERED, "not asked"));
      return new StreamFacts(address(), stream, shards, iterator.map(given -> true), page);
    } catch (UsageException wrong) {
      throw wrong;
    } catch (RuntimeException noClient) {
      return unanswered(Told.untold(Why.UNREACHABLE, String.valueOf(noClient.getMessage())));
    }
  }

  private StreamFacts unanswered(Told<StreamDescription> stream) {
    return new StreamFacts(
        address(),
        stream,
        Told.untold(Why.UNANSWERED, "not asked"),
        Told.untold(Why.UNANSWERED, "not asked"),
        Told.untold(Why.UNANSWERED, "not asked"));
  }

  private String address() {
    return config
        .getOptional(KinesisOptions.ENDPOINT)
        .or(() -> config.getOptional(KinesisOptions.REGION).map(region -> "Kinesis in " + region))
        .orElse("Kinesis in the stream's region");
  }

  /** Any shard that is there shows whether the principal may read. */
  private static String probed(List<Shard> shards) {
    return shards.stream()
        .filter(shard -> !shard.closed())
        .findFirst()
        .map(Shard::id)
        .orElse("shardId-000000000000");
  }

  private <T> CompletableFuture<Told<T>> later(Supplier<T> call) {
    return CompletableFuture.supplyAsync(() -> asked(call), threads)
        .completeOnTimeout(
            Told.untold(Why.UNANSWERED, "no answer within " + PATIENCE.toSeconds() + " s"),
            PATIENCE.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** The answer; a throttled call is repeated a few times. */
  private static <T> Told<T> asked(Supplier<T> call) {
    for (int attempt = 1; ; attempt++) {
      try {
        return Told.known(call.get());
      } catch (RuntimeException failure) {
        boolean again =
            KinesisFailure.of(failure) == KinesisFailure.THROTTLED && attempt < ATTEMPTS;
        if (!again) {
          return untold(failure);
        }
      }
      pause();
    }
  }

  private static <T> Told<T> untold(RuntimeException failure) {
    if (failure instanceof Refusal refusal) {
      return Told.untold(Why.UNREACHABLE, refusal.getMessage());
    }
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause && isWrapper(cause)) {
      cause = cause.getCause();
    }
    String detail = String.valueOf(cause.getMessage());
    return switch (KinesisFailure.of(failure)) {
      case DENIED -> Told.untold(Why.DENIED, detail);
      case KEY_UNUSABLE -> Told.untold(Why.KEY_UNUSABLE, detail);
      case NOT_FOUND -> Told.untold(Why.MISSING, detail);
      case TRANSIENT -> Told.untold(Why.UNREACHABLE, detail);
      default -> Told.untold(Why.UNANSWERED, detail);
    };
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof java.util.concurrent.CompletionException
        || thrown.getCause() instanceof TimeoutException;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking the stream", e);
    }
  }
}
