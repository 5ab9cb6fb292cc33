package io.cutover.backfill;

import io.cutover.source.LineageOutput;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Flink's exactly-once Kafka sink with the {@link Settlement} behind its committers, so that the
 * outcome of every commit is known to the job ({@link WatchedCommitter}). Adds nothing to how
 * records are written.
 */
final class SettledSink
    implements Sink<LineageOutput>,
        SupportsWriterState<LineageOutput, KafkaWriterState>,
        SupportsCommitter<KafkaCommittable>,
        SupportsPostCommitTopology<KafkaCommittable> {

  private static final long serialVersionUID = 1L;

  private final KafkaSink<LineageOutput> kafka;
  private final Settlement settlement;

  /** Only on the client, while the topology is made. */
  private final transient DataStream<Account> accounts;

  SettledSink(KafkaSink<LineageOutput> kafka, Settlement settlement, DataStream<Account> accounts) {
    this.kafka = kafka;
    this.settlement = settlement;
    this.accounts = accounts;
  }

  @Override
  public void addPostCommitTopology(DataStream<CommittableMessage<KafkaCommittable>> commits) {
    kafka.addPostCommitTopology(commits);
    accounts
        .global()
        .connect(commits.global())
        .transform("settlement", Types.VOID, settlement)
        .uid("settlement")
        .setParallelism(1)
        .setMaxParallelism(1);
  }

  @Override
  @SuppressWarnings("unchecked") // the connector's writer is stateful, whatever its face says
  public StatefulSinkWriter<LineageOutput, KafkaWriterState> createWriter(WriterInitContext context)
      throws IOException {
    return (StatefulSinkWriter<LineageOutput, KafkaWriterState>)
        writer(kafka.createWriter(context));
  }

  @Override
  @SuppressWarnings("unchecked") // the connector's writer is stateful, whatever its face says
  public StatefulSinkWriter<LineageOutput, KafkaWriterState> restoreWriter(
      WriterInitContext context, Collection<KafkaWriterState> recoveredState) throws IOException {
    return (StatefulSinkWriter<LineageOutput, KafkaWriterState>)
        writer(kafka.restoreWriter(context, recoveredState));
  }

  private static Object writer(Object writer) {
    return writer;
  }

  @Override
  public SimpleVersionedSerializer<KafkaWriterState> getWriterStateSerializer() {
    return kafka.getWriterStateSerializer();
  }

  @Override
  public Committer<KafkaCommittable> createCommitter(CommitterInitContext context)
      throws IOException {
    return new WatchedCommitter(kafka.createCommitter(context));
  }

  @Override
  public SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
    return kafka.getCommittableSerializer();
  }
}
