package io.cutover.reconcile.judge;

import io.cutover.kpl.UserRecord;
import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.compare.Comparison;
import io.cutover.reconcile.compare.LineageOrder;
import io.cutover.reconcile.compare.Reread;
import io.cutover.reconcile.drilldown.Again;
import io.cutover.reconcile.drilldown.ShardRead;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.side.Counted;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.side.Written;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import io.cutover.reconcile.verdict.VerdictReport.Listing;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallies;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A stream and a topic, and what all parts of the reconciliation but the reading itself make of
 * them. A record of the stream that has expired is known by the witness alone.
 */
final class Case {

  final Plans plans = new Plans();
  final List<UserRecord> stream = new ArrayList<>();
  final List<UserRecord> expired = new ArrayList<>();
  final List<TopicRecord> topic = new ArrayList<>();
  final List<Finding> whileReading = new ArrayList<>();
  final List<VerdictReport.Recount> recounts = new ArrayList<>();
  boolean witnessed;

  /** Whether the records stand in the topic in the order of their sequence numbers. */
  boolean inOrder = true;

  private long offset;

  /** A record in the stream and, as it ought to be, in the topic. */
  TopicRecord both(String sequence, long window) {
    UserRecord record = Written.record(sequence, Plans.in(window));
    stream.add(record);
    return copyOf(record);
  }

  /** Puts it into the topic. */
  TopicRecord copyOf(UserRecord record) {
    TopicRecord copy = Written.copy(record, offset++);
    topic.add(copy);
    return copy;
  }

  /** A record in the stream alone. */
  UserRecord missing(String sequence, long window) {
    UserRecord record = Written.record(sequence, Plans.in(window));
    stream.add(record);
    return record;
  }

  /** A record in the topic alone. */
  TopicRecord extra(String sequence, long window) {
    return copyOf(Written.record(sequence, Plans.in(window)));
  }

  /** Once more, behind all others. */
  TopicRecord again(TopicRecord copy) {
    TopicRecord more =
        new TopicRecord(
            copy.partition(),
            offset++,
            copy.timestamp(),
            copy.appendTime(),
            copy.key(),
            copy.value(),
            copy.pin(),
            copy.origin());
    topic.add(more);
    return more;
  }

  /** Puts another record into its place. */
  void replace(TopicRecord copy, TopicRecord other) {
    topic.set(topic.indexOf(copy), other);
  }

  /** So many on both sides, from a sequence number on. */
  Case both(int count, int firstSequence, long window) {
    for (int i = 0; i < count; i++) {
      both(Integer.toString(firstSequence + i), window);
    }
    return this;
  }

  private List<ShardLedger> ledgers() {
    Map<String, List<UserRecord>> shards = new TreeMap<>();
    stream.forEach(
        record ->
            shards.computeIfAbsent(record.origin().shardId(), id -> new ArrayList<>()).add(record));
    return shards.entrySet().stream()
        .map(read -> Reread.of(read.getKey(), read.getValue()))
        .toList();
  }

  /** Of a shard that has expired in part or whole the backfill began with a record that is gone. */
  private void report() {
    if (!expired.isEmpty()) {
      UserRecord first = expired.get(0);
      Mark mark = new Mark(first.origin().sequenceNumber(), first.arrivalMillis());
      plans.reported = List.of(Plans.copied(Plans.SHARD, mark, new Mark("999999", 0)));
      plans.horizon = Plans.T;
    }
  }

  private List<TopicRecord> laidOut() {
    if (!inOrder) {
      return topic;
    }
    List<TopicRecord> sorted = new ArrayList<>(topic);
    sorted.sort(Comparator.comparing(Case::sequence));
    List<TopicRecord> laidOut = new ArrayList<>();
    for (TopicRecord record : sorted) {
      laidOut.add(Written.at(record.partition(), laidOut.size(), record));
    }
    return laidOut;
  }

  /** A record without an origin stands before all others. */
  private static BigInteger sequence(TopicRecord record) {
    return record.origin().map(o -> new BigInteger(o.sequenceNumber())).orElse(BigInteger.ZERO);
  }

  private Side sides(Plan plan) throws Exception {
    return Counted.stream(plan, stream, ledgers()).plus(Counted.topic(plan, laidOut()));
  }

  private Optional<Tallies> witness(Plan plan) throws Exception {
    List<UserRecord> all = new ArrayList<>(expired);
    all.addAll(stream);
    return witnessed
        ? Optional.of(Counted.stream(plan, all, List.of()).stream().tallies())
        : Optional.empty();
  }

  Compared compared() throws Exception {
    report();
    Plan plan = plans.plan();
    Side sides = sides(plan);
    return new Compared(
        Comparison.of(plan, sides, witness(plan)),
        sides.topic().withoutTallies(),
        sides.stream().records(),
        new LineageOrder(plan).violations(sides.topic().shards()),
        whileReading,
        Plans.T.plus(Duration.ofHours(3)));
  }

  private Collection<ShardRead> reads() {
    return ledgers().stream()
        .map(
            ledger ->
                new ShardRead(
                    ledger.shard().id(),
                    ledger.first().map(Mark::sequenceNumber),
                    Optional.empty()))
        .toList();
  }

  Named named(List<Difference> told) throws Exception {
    Compared compared = compared();
    Plan plan = plans.plan();
    Named named = new Named(plan.span().windows(), compared.comparison().differing(), reads());
    for (Difference found : Again.named(plan, compared.comparison(), stream, laidOut())) {
      named.take(found).ifPresent(told::add);
    }
    return named;
  }

  VerdictReport report(Instant finishedAt) throws Exception {
    List<Difference> told = new ArrayList<>();
    Named named = named(told);
    Map<Difference.Kind, Long> counts = new EnumMap<>(Difference.Kind.class);
    told.forEach(difference -> counts.merge(difference.kind(), 1L, Long::sum));
    return new Judge(
            plans.plan(),
            compared(),
            named,
            new Differences(counts, told, Optional.of(new Listing("differences.jsonl", "0"))),
            recounts,
            finishedAt)
        .report();
  }

  VerdictReport verdict() throws Exception {
    return report(Plans.T.plus(Duration.ofHours(4)));
  }

  static List<FindingCode> codes(VerdictReport report) {
    return report.findings().stream().map(Finding::code).toList();
  }
}
