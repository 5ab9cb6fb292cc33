package io.cutover.reconcile.drilldown;

import io.cutover.CutoverDir;
import io.cutover.config.BackfillOptions;
import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.compare.Bucket;
import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.compare.Comparison;
import io.cutover.reconcile.compare.LineageOrder;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.plan.TopicOffsets;
import io.cutover.reconcile.recount.Sample;
import io.cutover.reconcile.side.Side;
import io.cutover.reconcile.side.TopicAccount;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.report.WitnessFile;
import io.cutover.tally.Tallies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Holds the two sides against each other when both have been read, and gives out what must be read
 * again: the buckets that differ, and a sample of those that were read from the stream. One
 * subtask.
 */
final class CompareSides extends AbstractStreamOperator<Work>
    implements OneInputStreamOperator<Side, Work>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private static final int HEXADECIMAL = 16;

  private final Plan plan;

  private transient Side sides;

  CompareSides(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void open() throws Exception {
    super.open();
    sides = Side.nothing();
  }

  @Override
  public void processElement(StreamRecord<Side> element) {
    sides = sides.plus(element.getValue());
  }

  @Override
  public void endInput() {
    Instant readAt = Instant.ofEpochMilli(getProcessingTimeService().getCurrentProcessingTime());
    List<Finding> findings = new ArrayList<>();
    Comparison comparison = Comparison.of(plan, sides, witness(findings));
    TopicAccount topic = sides.topic();
    output.collect(
        ReadAgain.TOLD,
        new StreamRecord<>(
            Told.of(
                new Compared(
                    comparison,
                    topic.withoutTallies(),
                    sides.stream().records(),
                    new LineageOrder(plan).violations(topic.shards()),
                    findings,
                    readAt))));
    work(comparison, topic).forEach(work -> output.collect(new StreamRecord<>(work)));
  }

  /** The witness, where it is wanted and may be used. */
  private Optional<Tallies> witness(List<Finding> findings) {
    if (plan.evidence() == ReconcileOptions.Evidence.REREAD) {
      return Optional.empty();
    }
    WitnessFile.Reading reading =
        WitnessFile.read(
            new CutoverDir(plan.config().get(BackfillOptions.DIR)),
            plan.pin(),
            plan.facts().copy().witnessSha256());
    if (reading instanceof WitnessFile.Unusable unusable) {
      findings.add(
          Finding.of(
              FindingCode.WITNESS_UNUSABLE,
              plan.evidence() == ReconcileOptions.Evidence.WITNESS
                  ? Optional.of(Verdict.INCONCLUSIVE)
                  : Optional.empty(),
              1,
              "The backfill's witness may not be used: " + unusable.why()));
      return Optional.empty();
    }
    return Optional.of(((WitnessFile.Whole) reading).tallies());
  }

  private List<Work> work(Comparison comparison, TopicAccount topic) {
    List<Work> work = new ArrayList<>();
    Targets targets = Targets.of(comparison.differing());
    Set<String> listed =
        plan.facts().listing().stream().map(shard -> shard.id()).collect(Collectors.toSet());
    targets
        .shards()
        .forEach(
            (shard, target) -> {
              if (listed.contains(shard) && target.range().isPresent()) {
                work.add(Work.of(new Work.OfShard(shard, target)));
              }
            });
    boolean foreign = topic.foreignInside() > 0;
    boolean alone = topic.misplaced().count() > 0 || topic.postdated().count() > 0;
    if (!targets.shards().isEmpty() || foreign || alone) {
      for (TopicOffsets offsets : plan.facts().offsets()) {
        work.add(Work.of(new Work.OfPartition(offsets, targets, foreign, alone)));
      }
    }
    work.addAll(recounts(listed));
    return work;
  }

  /**
   * A random sample of what was read from the stream, of windows without a record too; the run's id
   * is its seed. Only windows that the reading surely covered, by as much as arrivals may be out of
   * order.
   */
  private List<Work> recounts(Set<String> listed) {
    if (!plan.rereads()) {
      return List.of();
    }
    Instant covered = plan.facts().readFrom().plus(plan.slack());
    long first = plan.span().windows().index(covered.toEpochMilli()) + 1;
    return Sample.of(
            new Random(Long.parseLong(plan.facts().run(), HEXADECIMAL)),
            plan.config().get(ReconcileOptions.SAMPLE_BUCKETS),
            sides.stream().tallies().byShard(),
            listed,
            Math.max(first, plan.span().first()),
            plan.span().end())
        .stream()
        .map(this::recount)
        .toList();
  }

  private Work recount(Sample.Bucket bucket) {
    return Work.of(
        new Work.OfRecount(
            bucket.shard(),
            plan.span().windows().start(bucket.window()),
            plan.span().windows().end(bucket.window()),
            Bucket.count(bucket.tally()),
            bucket.tally().map(Targets.Range::of)));
  }
}
