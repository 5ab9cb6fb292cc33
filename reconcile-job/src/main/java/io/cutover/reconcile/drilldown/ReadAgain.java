package io.cutover.reconcile.drilldown;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.Page;
import io.cutover.kinesis.Position;
import io.cutover.kpl.Deaggregator;
import io.cutover.lineage.Shard;
import io.cutover.reconcile.plan.InFlight;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.reading.PlainReading;
import io.cutover.reconcile.reading.Time;
import io.cutover.reconcile.recount.Recounter;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.side.TopicScanner;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Reads once more what differs, by plain loops, one piece of work after the other: the records of
 * those buckets go on to be paired, and what needs no pairing is named at once. Runs on the
 * TaskManagers; does nothing after a comparison without a difference but count the sample once
 * more.
 */
final class ReadAgain extends ProcessFunction<Work, Sighting> {

  private static final long serialVersionUID = 1L;

  /** What came of the work itself. */
  static final OutputTag<Told> TOLD = new OutputTag<>("told", InFlight.type(Told.class));

  /** What is named at once. */
  static final OutputTag<Difference> NAMED =
      new OutputTag<>("named", InFlight.type(Difference.class));

  private final Plan plan;

  private transient KinesisStream stream;
  private transient Recounter recounter;

  ReadAgain(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void open(OpenContext context) {
    stream = new KinesisStream(plan.config(), 1);
    recounter = new Recounter(plan.config(), plan.facts().retention());
  }

  @Override
  public void close() {
    if (stream != null) {
      stream.close();
    }
    if (recounter != null) {
      recounter.close();
    }
  }

  @Override
  public void processElement(Work work, Context context, Collector<Sighting> out)
      throws InterruptedException {
    if (work.shard().isPresent()) {
      context.output(TOLD, Told.of(shard(work.shard().get(), out)));
    }
    if (work.partition().isPresent()) {
      partition(work.partition().get(), context, out);
    }
    if (work.recount().isPresent()) {
      context.output(TOLD, Told.of(recount(work.recount().get())));
    }
  }

  private ShardRead shard(Work.OfShard work, Collector<Sighting> out) throws InterruptedException {
    Targets.Range range = work.target().range().orElseThrow();
    Shard shard =
        plan.facts().listing().stream()
            .filter(one -> one.id().equals(work.shard()))
            .findFirst()
            .orElseThrow();
    Deaggregator deaggregator = new Deaggregator(shard.id(), shard.range());
    Sightings sightings = new Sightings(plan);
    PlainReading reading =
        new PlainReading(
            stream,
            plan.config(),
            shard.id(),
            new Position.AtSequence(range.lowest()),
            PlainReading.pace(plan.config(), Time.SYSTEM),
            Time.SYSTEM);
    Optional<String> first = Optional.empty();
    try {
      while (true) {
        Optional<Page> served = reading.next();
        if (served.isEmpty() || PlainReading.trimmed(served.get(), plan.facts().retention())) {
          return new ShardRead(shard.id(), first, Optional.of("expired, or gone"));
        }
        Page page = served.get();
        for (KinesisRecord record : page.records()) {
          first = first.or(() -> Optional.of(record.sequenceNumber()));
          if (range.contains(record.sequenceNumber())) {
            deaggregator
                .take(record)
                .records()
                .forEach(user -> sightings.inStream(user, work.target()).ifPresent(out::collect));
          }
        }
        if (over(page, range)) {
          return new ShardRead(shard.id(), first, Optional.empty());
        }
      }
    } catch (UncheckedIOException unanswered) {
      return new ShardRead(shard.id(), first, Optional.of(String.valueOf(unanswered.getMessage())));
    }
  }

  private static boolean over(Page page, Targets.Range range) {
    List<KinesisRecord> records = page.records();
    return page.nextIterator().isEmpty()
        || (records.isEmpty()
            ? page.atTip()
            : range.endsBefore(records.get(records.size() - 1).sequenceNumber()));
  }

  private void partition(Work.OfPartition work, Context context, Collector<Sighting> out) {
    Sightings sightings = new Sightings(plan);
    TopicScanner.forEach(
        plan,
        work.offsets(),
        record -> {
          if (sightings.ofThisCopy(record)) {
            own(record, work, sightings, context, out);
          } else if (work.foreign()) {
            sightings.foreign(record).ifPresent(foreign -> context.output(NAMED, foreign));
          }
        });
  }

  private static void own(
      TopicRecord record,
      Work.OfPartition work,
      Sightings sightings,
      Context context,
      Collector<Sighting> out) {
    Optional<Sighting> sighting = sightings.inTopic(record, work.targets());
    sighting.ifPresent(out::collect);
    if (sighting.isEmpty() && work.alone()) {
      sightings.alone(record).ifPresent(alone -> context.output(NAMED, alone));
    }
  }

  private Recount recount(Work.OfRecount work) throws InterruptedException {
    return new Recount(
        work.shard(),
        work.start(),
        work.end(),
        work.found(),
        recounter.count(
            work.shard(),
            work.start(),
            work.end(),
            work.range().map(Targets.Range::lowest),
            work.range().map(Targets.Range::highest),
            plan.slack()));
  }
}
