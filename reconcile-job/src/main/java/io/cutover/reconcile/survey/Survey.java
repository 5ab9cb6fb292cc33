package io.cutover.reconcile.survey;

import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.BackfillOptions;
import io.cutover.config.CutoverConfig;
import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.kinesis.StreamDescription;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.Span;
import io.cutover.reconcile.plan.TopicOffsets;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.report.CopyReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.Configuration;

/**
 * What is found out before anything is read: whether there is a whole copy, and whether stream and
 * topic are still the pinned ones. Runs on the client.
 */
public final class Survey {

  /** The server's clock comes in whole seconds, rounded down. */
  private static final Duration CLOCK_STEP = Duration.ofSeconds(1);

  private static final Optional<Verdict> INCONCLUSIVE = Optional.of(Verdict.INCONCLUSIVE);

  /** Without an answer no verdict can be given; the next run may get one. */
  private static final Set<Reason> UNREADABLE =
      Set.of(
          Reason.KINESIS_UNREACHABLE,
          Reason.KINESIS_DENIED,
          Reason.STREAM_MISSING,
          Reason.KAFKA_UNREACHABLE,
          Reason.KAFKA_DENIED,
          Reason.TOPIC_MISSING,
          Reason.REPORT_UNREADABLE);

  private final Configuration config;
  private final KafkaClientProperties kafka;
  private final Pin pin;
  private final InstantSource clock;
  private final List<Finding> findings = new ArrayList<>();

  public Survey(Configuration config, KafkaClientProperties kafka, Pin pin, InstantSource clock) {
    this.config = config;
    this.kafka = kafka;
    this.pin = pin;
    this.clock = clock;
  }

  private record Stream(List<Shard> listing, StreamDescription description) {}

  /**
   * Plans the reconciliation.
   *
   * @param run its id
   * @return nothing when no verdict but INCONCLUSIVE can come of it: {@link #findings} says why
   */
  public Optional<Plan> plan(String run) {
    Instant startedAt = clock.instant();
    try {
      CutoverDir dir = new CutoverDir(config.get(BackfillOptions.DIR));
      Optional<CopyReport> copy = CopyReport.in(dir);
      if (copy.isEmpty()) {
        findings.add(unfinished());
        return Optional.empty();
      }
      Stream stream =
          KinesisAnswer.of(
              config,
              "listed and described",
              // The clock is read behind the listing: what this did not show had expired by then.
              door -> new Stream(List.copyOf(door.shards()), door.describe()));
      boolean sameStream = stillPinned(stream.description());
      List<TopicOffsets> offsets = new TopicSurvey(config, kafka, pin, findings).offsets(startedAt);
      if (!sameStream || offsets.isEmpty()) {
        return Optional.empty();
      }
      Span span = span();
      return Optional.of(
          new Plan(
              pin,
              config,
              kafka,
              span,
              new Plan.Facts(
                  run,
                  startedAt,
                  Duration.between(startedAt, clock.instant()),
                  copy.get(),
                  stream.listing(),
                  stream.description().retention(),
                  stream.description().horizon(),
                  expiredBefore(stream.description()),
                  readFrom(span, stream.description()),
                  offsets,
                  findings)));
    } catch (Refusal refusal) {
      if (!UNREADABLE.contains(refusal.reason())) {
        throw refusal;
      }
      findings.add(Finding.of(FindingCode.READ_FAILED, INCONCLUSIVE, 1, refusal.getMessage()));
      return Optional.empty();
    }
  }

  /** What was found, above all when there is no plan. */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  public Span span() {
    return Span.of(
        pin,
        CutoverConfig.instantIfSet(config, ReconcileOptions.FROM),
        CutoverConfig.instantIfSet(config, ReconcileOptions.TO));
  }

  private Finding unfinished() {
    return Finding.of(
        FindingCode.COPY_UNFINISHED,
        INCONCLUSIVE,
        1,
        "The backfill has not written its report to "
            + config.get(BackfillOptions.DIR)
            + ": there is no whole copy yet. Reconcile when it is complete.");
  }

  private boolean stillPinned(StreamDescription stream) {
    try {
      PinCheck.stream(pin, stream);
      return true;
    } catch (Refusal refusal) {
      if (refusal.reason() != Reason.STREAM_RECREATED) {
        throw refusal;
      }
      findings.add(Finding.of(FindingCode.STREAM_RECREATED, INCONCLUSIVE, 1, refusal.getMessage()));
      return false;
    }
  }

  private Instant expiredBefore(StreamDescription stream) {
    Duration shorter =
        pin.stream().retention().compareTo(stream.retention()) < 0
            ? pin.stream().retention()
            : stream.retention();
    return stream.serverTime().plus(CLOCK_STEP).minus(shorter);
  }

  /**
   * Where the reading of the stream begins: at the beginning of the span, but so far from the
   * horizon that nothing which is still to be read expires meanwhile.
   */
  private Instant readFrom(Span span, StreamDescription stream) {
    Duration slack = config.get(ReconcileOptions.SLACK);
    Instant begin = (span.fromStart() ? pin.start() : span.from()).minus(slack);
    Instant safe = stream.horizon().plus(config.get(ReconcileOptions.HEADROOM));
    Instant oldest = pin.oldestArrival().orElse(pin.boundary());
    Instant from = safe.isAfter(begin) && safe.isAfter(oldest) ? safe : begin;
    return from.isBefore(stream.serverTime()) ? from : stream.serverTime();
  }
}
