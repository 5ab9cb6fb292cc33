package io.cutover.reconcile.drilldown;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import io.cutover.report.ReportedShard;
import io.cutover.source.Mark;
import io.cutover.tally.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Brings the sightings of each record on both sides together and says how they differ; nothing for
 * a record that is the same on both sides. In BATCH all sightings of one record come one after the
 * other, so that only they are held.
 */
final class Pairing extends KeyedProcessFunction<String, Sighting, Difference> {

  private static final long serialVersionUID = 1L;

  private final Plan plan;

  private transient ListState<Sighting> sightings;
  private transient Map<String, ReportedShard> reported;

  Pairing(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void open(OpenContext context) {
    sightings =
        getRuntimeContext()
            .getListState(new ListStateDescriptor<>("sightings", SightingSerializer.type()));
    reported = plan.facts().copy().byId();
  }

  @Override
  public void processElement(Sighting sighting, Context context, Collector<Difference> out)
      throws Exception {
    sightings.add(sighting);
    context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Difference> out)
      throws Exception {
    Optional<Sighting> kinesis = Optional.empty();
    List<Sighting> kafka = new ArrayList<>();
    for (Sighting sighting : sightings.get()) {
      if (sighting.place().isPresent()) {
        kafka.add(sighting);
      } else {
        kinesis = Optional.of(sighting);
      }
    }
    difference(kinesis, kafka).ifPresent(out::collect);
  }

  private Optional<Difference> difference(Optional<Sighting> kinesis, List<Sighting> kafka) {
    if (kinesis.isEmpty()) {
      return unpaired(kafka);
    }
    Sighting record = kinesis.get();
    Optional<Instant> arrival = Optional.of(Instant.ofEpochMilli(record.millis()));
    if (kafka.isEmpty()) {
      Kind kind = straggles(record.origin()) ? Kind.STRAGGLER : Kind.MISSING;
      return Optional.of(of(kind, Set.of(), record.origin(), arrival, kafka));
    }
    Set<Part> altered = altered(record, kafka);
    if (!altered.isEmpty()) {
      return Optional.of(of(Kind.ALTERED, altered, record.origin(), arrival, kafka));
    }
    return kafka.size() > 1
        ? Optional.of(of(Kind.DOUBLED, Set.of(), record.origin(), arrival, kafka))
        : Optional.empty();
  }

  /** Without a target it lies in a bucket that agrees, or in none: only what it tells by itself. */
  private static Optional<Difference> unpaired(List<Sighting> kafka) {
    List<Sighting> extra = kafka.stream().filter(Sighting::targeted).toList();
    if (!extra.isEmpty()) {
      return Optional.of(of(Kind.EXTRA, Set.of(), extra.get(0).origin(), Optional.empty(), extra));
    }
    List<Sighting> alone =
        kafka.stream().filter(copy -> copy.misplaced() || copy.postdated()).toList();
    Set<Part> altered = EnumSet.noneOf(Part.class);
    for (Sighting copy : alone) {
      if (copy.misplaced()) {
        altered.add(Part.PARTITION);
      }
      if (copy.postdated()) {
        altered.add(Part.TIMESTAMP);
      }
    }
    return alone.isEmpty()
        ? Optional.empty()
        : Optional.of(of(Kind.ALTERED, altered, alone.get(0).origin(), Optional.empty(), alone));
  }

  private static Set<Part> altered(Sighting record, List<Sighting> kafka) {
    Set<Part> altered = EnumSet.noneOf(Part.class);
    for (Sighting copy : kafka) {
      if (!copy.key().equals(record.key())) {
        altered.add(Part.KEY);
      }
      if (!copy.value().equals(record.value())) {
        altered.add(Part.VALUE);
      }
      if (copy.millis() != record.millis()) {
        altered.add(Part.TIMESTAMP);
      }
      if (copy.misplaced()) {
        altered.add(Part.PARTITION);
      }
    }
    return altered;
  }

  private static Difference of(
      Kind kind,
      Set<Part> altered,
      Origin origin,
      Optional<Instant> arrival,
      List<Sighting> kafka) {
    return new Difference(
        kind,
        altered,
        Optional.of(origin),
        arrival,
        kafka.stream()
            .map(
                copy ->
                    new Difference.Place(
                        copy.place().orElseThrow().partition(),
                        copy.place().orElseThrow().offset(),
                        Instant.ofEpochMilli(copy.millis())))
            .toList());
  }

  /** Whether the backfill's reading of the shard had stopped before the record. */
  private boolean straggles(Origin origin) {
    Optional<String> last =
        Optional.ofNullable(reported.get(origin.shardId()))
            .flatMap(ReportedShard::last)
            .map(Mark::sequenceNumber);
    return last.map(end -> Tally.compareSequences(origin.sequenceNumber(), end) > 0).orElse(true);
  }
}
