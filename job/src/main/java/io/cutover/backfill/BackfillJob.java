package io.cutover.backfill;

import io.cutover.config.BackfillOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaRecordMapper;
import io.cutover.kafka.LargestRecord;
import io.cutover.kafka.TransactionalIds;
import io.cutover.lineage.ReleasePolicy;
import io.cutover.pin.Pin;
import io.cutover.preflight.PreflightResult;
import io.cutover.source.LineageOutput;
import io.cutover.source.LineageSource;
import io.cutover.source.ReadStart;
import io.cutover.source.StreamLife;
import io.cutover.source.VersionedType;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.SinkOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.TransactionNamingStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The topology of the copy: source and sink in one chain at equal parallelism, since the order
 * within a shard depends on it, and the settlement behind all of them.
 *
 * @param preflight what the client found; absent where the JobManager has to look
 */
record BackfillJob(
    CopyTerms terms, KafkaClientProperties kafka, Optional<PreflightResult> preflight) {

  /** Between two checkpoints when no shard is read and all wait for what one covers. */
  private static final Duration WAITING_INTERVAL = Duration.ofSeconds(1);

  /** What the copy asks of Flink; it overrules the cluster's defaults. */
  Configuration flinkConfig() {
    Duration interval = terms.config().get(BackfillOptions.CHECKPOINT_INTERVAL);
    Configuration flink = new Configuration();
    // Never BATCH: the sink has lost data there.
    flink.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
    flink.set(CheckpointingOptions.CHECKPOINTING_INTERVAL_DURING_BACKLOG, interval);
    flink.set(
        CheckpointingOptions.CHECKPOINTING_INTERVAL,
        interval.compareTo(WAITING_INTERVAL) < 0 ? interval : WAITING_INTERVAL);
    flink.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
    // A commit that was dropped is handed in once more to be told downstream: with no retries a
    // cluster would fail on it instead.
    flink.set(SinkOptions.COMMITTER_RETRIES, SinkOptions.COMMITTER_RETRIES.defaultValue());
    flink.set(PipelineOptions.OBJECT_REUSE, true);
    flink.set(PipelineOptions.GENERIC_TYPES, false);
    return flink;
  }

  /**
   * Adds the copy to the environment.
   *
   * @return what the source emits, the same stream that the sink takes
   */
  DataStream<LineageOutput> addTo(StreamExecutionEnvironment env) {
    Pin pin = terms.pin();
    LineageSource source =
        new LineageSource(
            identity(),
            pin.shards(),
            terms.config(),
            ReadStart.TRIM_HORIZON,
            terms.boundary(),
            // Whoever relies on the retention asks again whether it was raised; lowered, the run
            // ends.
            new StreamLife(pin.stream().createdAt(), pin.stream().retention()),
            ReleasePolicy.ORDERED,
            new BackfillAdmission(terms, kafka, preflight));
    DataStream<LineageOutput> read =
        env.fromSource(
                source,
                WatermarkStrategy.noWatermarks(),
                "kinesis lineage",
                VersionedType.ofLineageOutput())
            .uid("source");
    DataStream<Account> accounts =
        read.transform(
                "witness",
                AccountSerializer.type(),
                new WitnessOperator(pin.id(), pin.tallies(), terms.key()))
            .uid("witness");
    read.sinkTo(
            new SettledSink(
                sink(), new Settlement(terms, kafka, new StillPinned(terms, kafka)), accounts))
        .name("kafka")
        .uid("sink");
    return read;
  }

  /** What must be the same for a checkpoint to be taken up; the id holds the partition count. */
  private String identity() {
    return terms.pin().id() + " (key " + terms.key() + ")";
  }

  private KafkaSink<LineageOutput> sink() {
    Pin pin = terms.pin();
    return KafkaSink.<LineageOutput>builder()
        .setKafkaProducerConfig(kafka.producer(new LargestRecord(pin.stream().maxRecordSizeKiB())))
        .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .setTransactionalIdPrefix(TransactionalIds.prefix(pin.id(), pin.topic().name()))
        .setTransactionNamingStrategy(TransactionNamingStrategy.POOLING)
        .setRecordSerializer(
            new KafkaRecordMapper(
                pin.topic().name(), pin.topic().partitions(), terms.key(), pin.id()))
        .build();
  }
}
