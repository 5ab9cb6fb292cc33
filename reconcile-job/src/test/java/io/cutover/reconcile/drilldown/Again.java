package io.cutover.reconcile.drilldown;

import io.cutover.kpl.UserRecord;
import io.cutover.reconcile.compare.Comparison;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.verdict.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/** The second reading of both sides, of records that lie in memory. */
public final class Again {

  private Again() {}

  /** All that is named of these records after that comparison. */
  public static List<Difference> named(
      Plan plan, Comparison comparison, List<UserRecord> stream, List<TopicRecord> topic)
      throws Exception {
    Targets targets = Targets.of(comparison.differing());
    Sightings sightings = new Sightings(plan);
    List<Sighting> met = new ArrayList<>();
    List<Difference> named = new ArrayList<>();
    for (UserRecord record : stream) {
      targets
          .of(record.origin().shardId())
          .filter(target -> target.range().isPresent())
          .filter(target -> target.range().get().contains(record.origin().sequenceNumber()))
          .flatMap(target -> sightings.inStream(record, target))
          .ifPresent(met::add);
    }
    for (TopicRecord record : topic) {
      if (record.isOf(plan.pin().id())) {
        Optional<Sighting> sighting = sightings.inTopic(record, targets);
        sighting.ifPresent(met::add);
        if (sighting.isEmpty()) {
          sightings.alone(record).ifPresent(named::add);
        }
      } else {
        sightings.foreign(record).ifPresent(named::add);
      }
    }
    named.addAll(paired(plan, met));
    return named;
  }

  static List<Difference> paired(Plan plan, List<Sighting> sightings) throws Exception {
    try (var pairing =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new Pairing(plan)), Sighting::identity, Types.STRING)) {
      pairing.open();
      for (Sighting sighting : sightings) {
        pairing.processElement(sighting, 0);
      }
      if (!pairing.extractOutputValues().isEmpty()) {
        throw new IllegalStateException("nothing is paired before all is met");
      }
      pairing.processWatermark(Watermark.MAX_WATERMARK);
      return pairing.extractOutputValues();
    }
  }
}
