package io.cutover.preflight;

import io.cutover.Reason;
import io.cutover.UsageException;
import io.cutover.config.PreflightOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kinesis.StreamDescription;
import io.cutover.pin.Pin;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;

/**
 * Looks at everything that the copy needs of stream, topic and brokers, both sides at the same
 * time, and says all that is amiss at once. Runs on the client and on the JobManager; takes a few
 * seconds, half a minute when a server does not answer.
 *
 * <p>Changes nothing, but takes one transactional id under the copy's prefix. It does not look at
 * the topic's records: that is the fresh start's.
 */
public final class Preflight {

  private Preflight() {}

  /**
   * Runs every check.
   *
   * @throws UsageException when {@code preflight.waive} names a check that there is not, or the
   *     configuration makes no Kinesis client; whatever else goes wrong is a row of the result
   */
  public static PreflightResult run(Configuration config, KafkaClientProperties kafka, Pin pin) {
    Set<CheckName> waivers = waivers(config);
    ExecutorService threads = Executors.newCachedThreadPool(Preflight::thread);
    try {
      var stream =
          CompletableFuture.supplyAsync(
              () -> new StreamSurvey(config, pin, threads).facts(), threads);
      var topic =
          CompletableFuture.supplyAsync(
              () -> new TopicSurvey(kafka, pin, threads).facts(), threads);
      return judged(config, kafka, pin, joined(stream), joined(topic), waivers);
    } finally {
      threads.shutdownNow();
    }
  }

  private static PreflightResult judged(
      Configuration config,
      KafkaClientProperties kafka,
      Pin pin,
      StreamFacts stream,
      TopicFacts topic,
      Set<CheckName> waivers) {
    // Ages are the server's, where it tells the time.
    Instant now =
        stream.stream()
            .value()
            .map(StreamDescription::serverTime)
            .orElse(Clock.systemUTC().instant());
    List<Check> checks = new ArrayList<>(new StreamChecks(stream, config, pin).all());
    Need need = new Need(pin, stream.stream().value(), now);
    checks.addAll(new TopicChecks(topic, config, kafka, pin, need).all());
    return new PreflightResult(
        pin.id(), checks.stream().map(check -> check.waivedIn(waivers)).toList());
  }

  private static Set<CheckName> waivers(Configuration config) {
    Set<CheckName> waivers = EnumSet.noneOf(CheckName.class);
    for (String text : PreflightOptions.waived(config)) {
      waivers.add(
          CheckName.named(text)
              .orElseThrow(
                  () ->
                      new UsageException(
                          Reason.OPTION_VALUE,
                          "option "
                              + PreflightOptions.WAIVE.key()
                              + " names "
                              + text
                              + ", but the checks are "
                              + Arrays.stream(CheckName.values())
                                  .map(CheckName::toString)
                                  .collect(Collectors.joining(", ")))));
    }
    return waivers;
  }

  private static Thread thread(Runnable question) {
    Thread thread = new Thread(question, "preflight");
    thread.setDaemon(true);
    return thread;
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
