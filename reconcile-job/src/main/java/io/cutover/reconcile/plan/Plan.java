package io.cutover.reconcile.plan;

import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.lineage.Boundary;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.report.CopyReport;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/**
 * All that a reconciliation knows before it reads a record; made by the client, and carried by
 * every part of the job.
 */
public record Plan(
    Pin pin, Configuration config, KafkaClientProperties kafka, Span span, Facts facts)
    implements Serializable {

  /**
   * What was found out when the reconciliation began.
   *
   * @param run its id, 8 hexadecimal digits
   * @param startedAt this machine's clock
   * @param surveyedIn how long finding it out took
   * @param copy what the backfill reported
   * @param listing every shard that the stream lists
   * @param retention how long the stream keeps a record
   * @param horizon what arrived before it had expired
   * @param expiredBefore likewise by the retention at the pin, if that was shorter: raised later,
   *     it brought nothing back
   * @param readFrom where the reading of the stream begins, or with its oldest record if that is
   *     younger
   * @param offsets what is read of each partition
   * @param findings so far
   */
  public record Facts(
      String run,
      Instant startedAt,
      Duration surveyedIn,
      CopyReport copy,
      List<Shard> listing,
      Duration retention,
      Instant horizon,
      Instant expiredBefore,
      Instant readFrom,
      List<TopicOffsets> offsets,
      List<Finding> findings)
      implements Serializable {

    public Facts {
      listing = List.copyOf(listing);
      offsets = List.copyOf(offsets);
      findings = List.copyOf(findings);
    }

    private Object writeReplace() {
      return new Travelling(InFlight.bytes(this));
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Travelling(byte[] json) implements Serializable {
      private Object readResolve() {
        return InFlight.value(Facts.class, json);
      }
    }
  }

  public ReconcileOptions.Evidence evidence() {
    return config.get(ReconcileOptions.EVIDENCE);
  }

  /** Whether the stream is read again. */
  public boolean rereads() {
    return evidence() != ReconcileOptions.Evidence.WITNESS;
  }

  /** How far behind the span the stream is read on: never less far than the backfill did. */
  public Duration slack() {
    Duration asked = config.get(ReconcileOptions.SLACK);
    return asked.compareTo(facts.copy().slack()) > 0 ? asked : facts.copy().slack();
  }

  /** Up to where, and how far behind it, the stream is read. */
  public Boundary boundary() {
    return new Boundary(span.to(), slack());
  }

  /** Whether the copy carries the partition keys. */
  public boolean keyed() {
    return facts.copy().key() == KafkaOptions.Key.PARTITION_KEY;
  }

  public String topic() {
    return pin.topic().name();
  }
}
