package io.cutover.source;

import io.cutover.Reason;
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

  /** Answers for the server. */
  interface Witness {

    /** The stream's retention now: it may have been raised since the job began. */
    Duration retention();

    /** Whether the shard was there, and open, at an instant within retention. */
    boolean wasOpenAt(String shardId, Instant instant);
  }

  private final String shardId;
  private final boolean fromBirth;
  private final Duration margin;
  private final Witness witness;
  private final Instant createdAt;
  private final String remedy;
  private Duration retention;

  /** Everything that the shard held up to this instant of the server's clock has been read. */
  private Optional<Instant> completeUpTo;

  private boolean anythingRead;
  private Optional<Instant> atHorizonSince = Optional.empty();

  RetentionGuard(
      ShardSplit split, StreamLife life, ReadStart start, Duration margin, Witness witness) {
    ShardLedger ledger = split.ledger();
    this.shardId = split.splitId();
    this.fromBirth = split.stage() == ShardSplit.Stage.READ_FROM_BIRTH;
    this.remedy = start.remedy();
    this.retention = life.retention();
    this.createdAt = life.createdAt();
    this.margin = margin;
    this.witness = witness;
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
    if (completeUpTo.isPresent()) {
      checkPosition(page, position);
    } else if (fromBirth && tellsOfTheBeginning(page)) {
      checkBeginning(page);
    }
  }

  private void checkPosition(Page page, Position position) {
    if (!overtaken(page)) {
      return;
    }
    retention = witness.retention();
    if (overtaken(page)) {
      throw overtakenRefusal(page, position);
    }
  }

  private static boolean tellsOfTheBeginning(Page page) {
    return !page.records().isEmpty() || page.nextIterator().isEmpty() || page.atTip();
  }

  /** A shard that was open at the horizon is older than it: its beginning may have expired. */
  private void checkBeginning(Page page) {
    if (!olderThanHorizon(page)) {
      return;
    }
    retention = witness.retention();
    if (olderThanHorizon(page)) {
      Instant now = page.serverTime().minus(retention).plus(margin);
      throw new Refusal(
          Reason.RETENTION_OVERTOOK,
          "shard "
              + shardId
              + ": retention has overtaken the reading before it began. Its parents were still"
              + " listed when the copy began, but by now the shard is older than "
              + now
              + ", up to which the stream's records expire: its first ones may have expired"
              + " unread. "
              + remedy);
    }
  }

  private boolean overtaken(Page page) {
    Duration age = Duration.between(completeUpTo.orElseThrow(), page.serverTime());
    return age.compareTo(retention.minus(margin)) >= 0;
  }

  /** Notes what a page brought. */
  void read(Page page) {
    anythingRead |= !page.records().isEmpty();
    page.records().stream()
        .mapToLong(KinesisRecord::arrivalMillis)
        .max()
        .ifPresent(latest -> completeUpTo(Instant.ofEpochMilli(latest)));
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
            && page.millisBehindLatest().orElse(0) >= retention.minus(margin).toMillis();
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

  private boolean olderThanHorizon(Page page) {
    Instant horizon = page.serverTime().minus(retention).plus(margin);
    // Of a stream that is younger than its retention, nothing has expired.
    return horizon.isAfter(createdAt) && witness.wasOpenAt(shardId, horizon);
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
        Reason.RETENTION_OVERTOOK,
        "shard "
            + shardId
            + ": retention has overtaken the reading. It stands at "
            + position
            + ", complete up to "
            + completeUpTo.orElseThrow()
            + ", but the server's clock is "
            + page.serverTime()
            + " and the stream keeps "
            + retention
            + "; "
            + next
            + ". Records between the two may have expired unread. "
            + remedy);
  }

  /** The server does not take the position any more. */
  Refusal refused(Position position, Throwable cause) {
    return new Refusal(
        Reason.RETENTION_OVERTOOK,
        "shard "
            + shardId
            + ": the server refuses to read on at "
            + position
            + " ("
            + cause.getMessage()
            + "), so retention has overtaken the reading. Lost to it is what expired"
            + completeUpTo.map(instant -> " of the records from " + instant + " on").orElse("")
            + ". "
            + remedy,
        cause);
  }

  /** The shard is gone. */
  Refusal vanished(Position position, Throwable cause) {
    return new Refusal(
        Reason.SHARD_VANISHED,
        "shard "
            + shardId
            + " vanished while it was read: the server does not know it any more. Lost to the"
            + " reading is everything behind "
            + position
            + completeUpTo.map(instant -> ", that is from " + instant + " on").orElse("")
            + ". If the stream was deleted there is nothing left to read. Else: "
            + remedy,
        cause);
  }
}
