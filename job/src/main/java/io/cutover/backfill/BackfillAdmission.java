package io.cutover.backfill;

import io.cutover.kafka.CopyTransactions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.TransactionalIds;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.preflight.Preflight;
import io.cutover.preflight.PreflightResult;
import io.cutover.preflight.TopicContent;
import io.cutover.report.BackfillReport;
import io.cutover.report.StartFacts;
import io.cutover.report.StartFacts.Waiver;
import io.cutover.source.Admission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a run of the copy begin when no other is on and, anew, when the preflight passes and the
 * topic holds nothing of history. What is taken up is held against the pin only: by then T may have
 * passed the horizon, and the topic holds a part of the copy.
 *
 * <p>While the run goes on it keeps its claim up, and looks whether the stream's retention was
 * lowered, which would let records expire earlier than the readers think.
 */
final class BackfillAdmission implements Admission {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(BackfillAdmission.class);

  /** Looks at the retention are a call each. */
  private static final Duration RETENTION_LOOK = Duration.ofMinutes(1);

  private final CopyTerms terms;
  private final KafkaClientProperties kafka;
  private final boolean lookedAt;
  private final ArrayList<Waiver> waivers;
  private final String run = UUID.randomUUID().toString();

  private transient List<Waiver> ownWaivers;
  private transient RunWatch watch;

  /**
   * @param preflight what the client found before it submitted the job; absent where there is no
   *     client, so that it is looked at here
   */
  BackfillAdmission(
      CopyTerms terms, KafkaClientProperties kafka, Optional<PreflightResult> preflight) {
    this.terms = terms;
    this.kafka = kafka;
    this.lookedAt = preflight.isPresent();
    this.waivers = new ArrayList<>(preflight.map(BackfillAdmission::waivers).orElse(List.of()));
  }

  private static List<Waiver> waivers(PreflightResult preflight) {
    return preflight.waivers().stream()
        .map(check -> new Waiver(check.name().toString(), check.found()))
        .toList();
  }

  @Override
  public void beforeTasks(boolean anew) {
    RunClaim claim = new RunClaim(terms.dir(), terms.pin().id(), run);
    Optional<List<Waiver>> own = claim.own();
    if (own.isPresent()) {
      // This very run, after a failover: what is open now under its prefix is its own.
      ownWaivers = own.get();
    } else {
      claim.refuseIfHeldByAnother();
      ownWaivers = anew ? begin() : List.of();
    }
    claim.take(ownWaivers);
    watch = new RunWatch();
    watch.every(RunClaim.BEAT, claim::keepUp);
    watch.every(RETENTION_LOOK, this::checkRetention);
  }

  private List<Waiver> begin() {
    if (lookedAt) {
      Pin pin = terms.pin();
      CopyTransactions.refuseIfOpen(kafka, TransactionalIds.prefix(pin.id(), pin.topic().name()));
      return waivers;
    }
    PreflightResult result = Preflight.run(terms.config(), kafka, terms.pin());
    result.orRefuseInDetail();
    LOG.info("Preflight: {}.", result.summary());
    return waivers(result);
  }

  @Override
  public String beforeFirstShard() {
    checkRetention();
    TopicContent.Live live = new TopicContent(kafka, terms.pin()).check();
    return new StartFacts(live.count(), live.first(), ownWaivers).text();
  }

  @Override
  public void afterRestore() {
    Fatal.onRefusal(
        () -> {
          new StillPinned(terms, kafka).run();
          checkRetention();
        });
  }

  private void checkRetention() {
    PinCheck.retention(terms.pin(), KinesisAnswer.describe(terms.config()));
  }

  @Override
  public void stillOn() {
    watch.rethrow();
  }

  @Override
  public void over() {
    if (watch != null) {
      watch.close();
    }
    if (BackfillReport.in(terms.dir()).isPresent()) {
      new RunClaim(terms.dir(), terms.pin().id(), run).giveUp();
    }
  }
}
