package io.cutover.source;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregated;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.Boundary;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.runtime.metrics.MetricNames;

/**
 * What a subtask of the source tells Flink's reporters, from its start or last restart on. Groups
 * are named as the official connector names them, without account and region: a job reads one
 * stream.
 *
 * <ul>
 *   <li>{@code KinesisStreamSource.stream.S}: the counters records, bytes (payload), skipped,
 *       aggregates, malformed, throttles; the gauge retentionHeadroomMillis.
 *   <li>{@code KinesisStreamSource.stream.S.shardId.ID}: the gauges of {@link ShardGauges}.
 *   <li>FLIP-33's numRecordsIn (user records, skipped ones too), numBytesIn (as served, aggregates
 *       unopened), numRecordsInErrors (malformed aggregates) and currentFetchEventTimeLag. The
 *       runtime itself adds currentEmitEventTimeLag and sourceIdleTime.
 * </ul>
 *
 * <p>Not pendingRecords and pendingBytes: Kinesis tells the age of what is unread, not its amount.
 *
 * <p>Belongs to the task thread. Reporters read what it writes without a lock, as they do Flink's
 * own counters: a value may be a moment old.
 */
final class SourceMetrics {

  private final Boundary boundary;
  private final MetricGroup stream;
  private final Map<String, ShardGauges> shards = new HashMap<>();

  private final Counter records;
  private final Counter bytes;
  private final Counter skipped;
  private final Counter aggregates;
  private final Counter malformed;
  private final Counter throttles;

  private final Counter recordsIn;
  private final Counter bytesIn;
  private final Counter errors;
  private final Headroom headroom;

  /** The server's clock when it served the page that is being emitted. */
  private long servedMillis;

  /** Of the last record emitted: the server's clock when it was served, less its arrival. */
  private long fetchLag = ShardGauges.UNKNOWN;

  SourceMetrics(
      SourceReaderMetricGroup reader, String streamName, Boundary boundary, StreamLife life) {
    this.boundary = boundary;
    this.stream = reader.addGroup("KinesisStreamSource").addGroup("stream", streamName);
    this.records = stream.counter("records");
    this.bytes = stream.counter("bytes");
    this.skipped = stream.counter("skipped");
    this.aggregates = stream.counter("aggregates");
    this.malformed = stream.counter("malformed");
    this.throttles = stream.counter("throttles");
    this.recordsIn = reader.getIOMetricGroup().getNumRecordsInCounter();
    this.bytesIn = reader.getIOMetricGroup().getNumBytesInCounter();
    this.errors = reader.getNumRecordsInErrorsCounter();
    this.headroom = new Headroom(life);
    stream.gauge("retentionHeadroomMillis", headroom);
    reader.gauge(MetricNames.CURRENT_FETCH_EVENT_TIME_LAG, (Gauge<Long>) () -> fetchLag);
  }

  /** Called for each item, since the reader counts each as one record in. */
  void item() {
    recordsIn.dec();
  }

  /**
   * @param ledger as it stands before the page's records
   */
  void read(ShardItem.PageRead page, ShardLedger ledger) {
    throttles.inc(page.throttles());
    servedMillis = page.serverMillis();
    shard(ledger).read(page, ledger);
    headroom.at(ledger, page.serverMillis());
  }

  void copied(KinesisRecord record, Deaggregated taken) {
    records.inc(taken.records().size());
    for (UserRecord user : taken.records()) {
      bytes.inc(user.data().length);
    }
    passed(record, taken);
  }

  void skipped(KinesisRecord record, Deaggregated taken) {
    skipped.inc(taken.records().size());
    passed(record, taken);
  }

  private void passed(KinesisRecord record, Deaggregated taken) {
    switch (taken.kind()) {
      case PLAIN -> {}
      case AGGREGATE -> aggregates.inc();
      case MALFORMED -> {
        malformed.inc();
        errors.inc();
      }
    }
    recordsIn.inc(taken.records().size());
    bytesIn.inc(record.data().length);
    fetchLag = servedMillis - record.arrivalMillis();
  }

  void ended(ShardLedger ledger) {
    shard(ledger).ended();
    headroom.ended(ledger);
  }

  private ShardGauges shard(ShardLedger ledger) {
    return shards.computeIfAbsent(
        ledger.shard().id(), id -> new ShardGauges(stream.addGroup("shardId", id), boundary));
  }
}
