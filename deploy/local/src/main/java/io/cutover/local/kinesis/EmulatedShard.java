package io.cutover.local.kinesis;

import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One shard: an append-only log that loses its head to the trim horizon.
 *
 * <p>Trimming takes the longest run of records from the head whose arrival is past the horizon. A
 * record with an old arrival behind a younger one stays until the younger one goes: a log loses its
 * head, never its middle.
 */
public final class EmulatedShard {

  private final String id;
  private final int ordinal;
  private final Optional<String> parent;
  private final Optional<String> adjacentParent;
  private final BigInteger start;
  private final BigInteger end;
  private final Instant createdAt;
  private final String startingSequenceNumber;
  private final List<StoredRecord> log = new ArrayList<>();

  private int trimmed;
  private boolean vanished;
  private Optional<Closing> closing = Optional.empty();

  private record Closing(Instant at, String endingSequenceNumber) {}

  /** What one GetRecords call takes from the log. */
  record Page(List<StoredRecord> records, int next, boolean atTail, boolean headTrimmed) {}

  EmulatedShard(
      int ordinal,
      List<String> parents,
      BigInteger start,
      BigInteger end,
      Instant createdAt,
      long tick) {
    this.id = "shardId-%012d".formatted(ordinal);
    this.ordinal = ordinal;
    this.parent = parents.stream().findFirst();
    this.adjacentParent = parents.stream().skip(1).findFirst();
    this.start = start;
    this.end = end;
    this.createdAt = createdAt;
    this.startingSequenceNumber = SequenceNumber.of(tick, ordinal);
  }

  public String id() {
    return id;
  }

  public Optional<String> parent() {
    return parent;
  }

  public Optional<String> adjacentParent() {
    return adjacentParent;
  }

  /** The lowest hash key, included. */
  public BigInteger start() {
    return start;
  }

  /** The highest hash key, included. */
  public BigInteger end() {
    return end;
  }

  public Instant createdAt() {
    return createdAt;
  }

  public String startingSequenceNumber() {
    return startingSequenceNumber;
  }

  public synchronized boolean closed() {
    return closing.isPresent();
  }

  public synchronized Optional<Instant> closedAt() {
    return closing.map(Closing::at);
  }

  /** The sequence number that stands above every record; only a closed shard has one. */
  public synchronized Optional<String> endingSequenceNumber() {
    return closing.map(Closing::endingSequenceNumber);
  }

  /** Every record ever stored, the trimmed ones too, in sequence order. */
  public synchronized List<StoredRecord> records() {
    return List.copyOf(log);
  }

  /** The records that have not been trimmed when last looked at, in sequence order. */
  public synchronized List<StoredRecord> retained() {
    return List.copyOf(log.subList(trimmed, log.size()));
  }

  boolean owns(BigInteger hashKey) {
    return start.compareTo(hashKey) <= 0 && hashKey.compareTo(end) <= 0;
  }

  synchronized StoredRecord append(PutSpec spec, long tick) {
    if (closing.isPresent()) {
      throw new IllegalStateException("shard " + id + " is closed and takes no record");
    }
    StoredRecord stored =
        new StoredRecord(
            id,
            SequenceNumber.of(tick, ordinal),
            spec.partitionKey(),
            spec.arrival().truncatedTo(ChronoUnit.MILLIS),
            spec.data());
    log.add(stored);
    return stored;
  }

  synchronized void close(Instant at, long tick) {
    closing = Optional.of(new Closing(at, SequenceNumber.of(tick, ordinal)));
  }

  synchronized void vanish() {
    vanished = true;
  }

  synchronized boolean vanished() {
    return vanished;
  }

  synchronized void trim(Instant horizon) {
    while (trimmed < log.size() && log.get(trimmed).arrival().isBefore(horizon)) {
      trimmed++;
    }
  }

  /** Closed, and neither a record nor the closing itself is younger than the horizon. */
  synchronized boolean expired(Instant horizon) {
    return trimmed == log.size() && closing.map(c -> c.at().isBefore(horizon)).orElse(false);
  }

  /** Both ends included: an instant of resharding belongs to parents and children. */
  synchronized boolean openAt(Instant instant) {
    return !createdAt.isAfter(instant) && closing.map(c -> !c.at().isBefore(instant)).orElse(true);
  }

  synchronized int trimHorizon() {
    return trimmed;
  }

  synchronized int tail() {
    return log.size();
  }

  /** The index of the first record that is retained and arrived at or after an instant. */
  synchronized int firstArrivedAt(Instant instant) {
    for (int i = trimmed; i < log.size(); i++) {
      if (!log.get(i).arrival().isBefore(instant)) {
        return i;
      }
    }
    return log.size();
  }

  /** The index of the first record whose sequence number is at least this one. */
  synchronized int firstAtOrAbove(String sequenceNumber) {
    int low = 0;
    int high = log.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (SequenceNumber.ORDER.compare(log.get(middle).sequenceNumber(), sequenceNumber) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  synchronized boolean holds(int index, String sequenceNumber) {
    return index < log.size() && log.get(index).sequenceNumber().equals(sequenceNumber);
  }

  /** Takes whole records while they fit; the first always does. */
  synchronized Page page(int from, int mostRecords, long mostBytes) {
    int next = from;
    long bytes = 0;
    while (next < log.size() && next - from < mostRecords) {
      bytes += log.get(next).weight();
      if (bytes > mostBytes && next > from) {
        break;
      }
      next++;
    }
    return new Page(
        new ArrayList<>(log.subList(from, next)), next, next == log.size(), from < trimmed);
  }

  synchronized Optional<StoredRecord> at(int index) {
    return index < log.size() ? Optional.of(log.get(index)) : Optional.empty();
  }

  synchronized Optional<StoredRecord> last() {
    return log.isEmpty() ? Optional.empty() : Optional.of(log.get(log.size() - 1));
  }

  @Override
  public String toString() {
    return id;
  }
}
