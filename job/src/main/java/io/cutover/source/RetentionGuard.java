package io.cutover.source;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisRecord;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Watches that retention does not overtake the reading of one shard. The server does not say so: a
 * trimmed position answers with empty pages, or goes on at whatever is left. So the age of the
 * position is held against the stream's retention by the server's clock.
 */
final class RetentionGuard {

  /** How long a shard that nothing was read of may stand at the horizon before it is asked anew. */
  private static final Duration HORIZON_PATIENCE = Duration.ofMinutes(1);

  private final String shardId;
  private final Duration margin;
  private final KnownRetention retention;

  /** Everything that the shard held up to this instant of the server's clock has been read. */
  private Optional<Instant> completeUpTo;

  private boolean anythingRead;
  private Optional<Instant> atHorizonSince = Optional.empty();

  RetentionGuard(ShardLedger ledger, KnownRetention retention, Duration margin) {
    this.shardId = ledger.shard().id();
    this.retention = retention;
    this.margin = margin;
    this.anythingRead = ledger.last().isPresent();
    this.completeUpTo =
        ledger.completeUpToMillis().stream().mapToObj(Instant::ofEpochMilli).findFirst();
  }

  /**
   * Holds the position that the page was read from against the horizon.
   *
   * @throws Refusal when records between the position and the page may have expired unread
   */
  void check(Page page, Position position) {
    if (completeUpTo.isEmpty() || !overtaken(page)) {
      return;
    }
    retention.askAgain(); // it may have been raised since
    if (overtaken(page)) {
      throw overtakenRefusal(page, position);
    }
  }

  private boolean overtaken(Page page) {
    Duration age = Duration.between(completeUpTo.orElseThrow(), page.serverTime());
    return age.compareTo(patience()) >= 0;
  }

  private Duration patience() {
    return retention.told().minus(margin);
  }

  /** Notes what a page brought. */
  void read(Page page) {
    anythingRead |= !page.records().isEmpty();
    for (KinesisRecord record : page.records()) {
      completeUpTo(Instant.ofEpochMilli(record.arrivalMillis()));
    }
    if (page.atTip()) {
      completeUpTo(page.serverTime());
    }
  }

  private void completeUpTo(Instant instant) {
    if (completeUpTo.isEmpty() || completeUpTo.get().isBefore(instant)) {
      completeUpTo = Optional.of(instant);
    }
  }

  /**
   * Whether reading goes on with the page's own iterator. An iterator at the horizon can be trimmed
   * before its first record was read, and then stays empty for ever; since nothing was read, the
   * horizon may be asked for again.
   */
  boolean keepsIterator(Page page) {
    boolean stuck =
        !anythingRead
            && page.records().isEmpty()
            && page.millisBehindLatest().orElse(0) >= patience().toMillis();
    if (!stuck) {
      atHorizonSince = Optional.empty();
      return true;
    }
    if (atHorizonSince.isEmpty()) {
      atHorizonSince = Optional.of(page.serverTime());
    }
    boolean patient = page.serverTime().isBefore(atHorizonSince.get().plus(HORIZON_PATIENCE));
    if (!patient) {
      atHorizonSince = Optional.empty();
    }
    return patient;
  }

  private Refusal overtakenRefusal(Page page, Position position) {
    String next =
        page.records().isEmpty()
            ? "nothing was served behind it"
            : "the next record served is "
                + page.records().get(0).sequenceNumber()
                + " of "
                + Instant.ofEpochMilli(page.records().get(0).arrivalMillis());
    return new Refusal(
        "shard "
            + shardId
            + ": retention has overtaken the reading. It stands at "
            + position
            + ", complete up to "
            + completeUpTo.orElseThrow()
            + ", but the server's clock is "
            + page.serverTime()
            + " and the stream keeps "
            + retention.told()
            + "; "
            + next
            + ". Records between the two may have expired unread. Raise the stream's retention"
            + " (this revives nothing, but stops the clock), empty the topic and begin again");
  }

  /** The shard is gone. */
  Refusal vanished(Position position, Throwable cause) {
    return new Refusal(
        "shard "
            + shardId
            + " vanished while it was read: the server does not know it any more. Lost to this copy"
            + " is everything behind "
            + position
            + completeUpTo.map(instant -> ", that is from " + instant + " on").orElse("")
            + ". If the stream was deleted there is nothing left to copy; else raise its"
            + " retention, empty the topic and begin again",
        cause);
  }
}
