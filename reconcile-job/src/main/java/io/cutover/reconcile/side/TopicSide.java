package io.cutover.reconcile.side;

import io.cutover.kpl.Origin;
import io.cutover.reconcile.plan.Plan;
import io.cutover.tally.Tallier;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Counts the topic's records beside the source that reads them, on the TaskManagers; when all are
 * read it hands on what they came to. Its memory grows with windows, shards and partitions, not
 * with records.
 */
public final class TopicSide extends AbstractStreamOperator<Side>
    implements OneInputStreamOperator<TopicRecord, Side>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final Plan plan;
  private final String pinId;

  private transient Tallier tallier;
  private transient OrderBook order;
  private transient long outside;
  private transient long foreignOutside;
  private transient ArrivedBefore arrivedBefore;
  private transient SampledCounter misplaced;
  private transient SampledCounter postdated;
  private transient SampledCounter appendTime;
  private transient SampledCounter withoutOrigin;
  private transient SampledCounter otherPins;
  private transient SortedMap<Long, Long> foreignWindows;
  private transient TopicCounters counters;

  public TopicSide(Plan plan) {
    this.plan = plan;
    this.pinId = plan.pin().id();
  }

  @Override
  public void open() throws Exception {
    super.open();
    tallier = new Tallier(pinId, plan.span().windows());
    order = new OrderBook();
    arrivedBefore = new ArrivedBefore(plan);
    misplaced = new SampledCounter();
    postdated = new SampledCounter();
    appendTime = new SampledCounter();
    withoutOrigin = new SampledCounter();
    otherPins = new SampledCounter();
    foreignWindows = new TreeMap<>();
    counters = new TopicCounters(getRuntimeContext());
  }

  @Override
  public void processElement(StreamRecord<TopicRecord> element) {
    TopicRecord record = element.getValue();
    counters.read(record);
    long window = plan.span().windows().index(record.timestamp());
    if (record.isOf(pinId)) {
      own(record, record.origin().orElseThrow(), window);
    } else if (plan.span().contains(window)) {
      foreign(record, window);
    } else {
      foreignOutside++;
    }
  }

  private void own(TopicRecord record, Origin origin, long window) {
    boolean inside = plan.span().contains(window);
    boolean after = window >= 0;
    if (inside) {
      tallier.take(
          origin.shardId(),
          origin.sequenceNumber(),
          origin.subSequence(),
          record.key(),
          record.timestamp(),
          record.value());
    } else {
      outside++;
    }
    if (inside || after) {
      order.take(record.partition(), origin, after, record.offset());
    }
    if (record.misplaced(plan.pin().topic().partitions())) {
      misplaced.add(() -> origin.text() + " at " + record.place());
    }
    if (arrivedBefore.postdated(record)) {
      postdated.add(() -> origin.text() + " at " + record.place());
    }
    if (record.appendTime()) {
      appendTime.add(() -> origin.text() + " at " + record.place());
    }
  }

  private void foreign(TopicRecord record, long window) {
    foreignWindows.merge(window, 1L, Long::sum);
    String at = record.place() + " of " + Instant.ofEpochMilli(record.timestamp());
    if (record.isOfAnotherPin(pinId)) {
      otherPins.add(() -> at + ", of pin " + record.pin().orElseThrow());
    } else {
      withoutOrigin.add(() -> at);
    }
  }

  @Override
  public void endInput() {
    output.collect(
        new StreamRecord<>(
            Side.of(
                new TopicAccount(
                    tallier.tallies(),
                    outside,
                    order.shards(),
                    order.violations(),
                    misplaced.sampled(),
                    postdated.sampled(),
                    appendTime.sampled(),
                    withoutOrigin.sampled(),
                    otherPins.sampled(),
                    foreignOutside,
                    foreignWindows,
                    counters.partitions()))));
  }
}
