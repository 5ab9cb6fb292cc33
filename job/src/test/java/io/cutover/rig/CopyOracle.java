package io.cutover.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.rig.Producer.Written;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.Header;

/** Says what a topic must hold, from what was written; shares no code with the job. */
public final class CopyOracle {

  private CopyOracle() {}

  /** Every user record from before T once and right, nothing else, and all of it in order. */
  public static void assertExact(
      List<ConsumerRecord<byte[], byte[]>> topic, Producer producer, Instant t, int partitions) {
    assertExact(topic, producer.written(), producer.stream(), t, partitions);
  }

  public static void assertExact(
      List<ConsumerRecord<byte[], byte[]>> topic,
      List<Written> written,
      EmulatedStream stream,
      Instant t,
      int partitions) {
    assertExact(topic, written, parents(stream), t, partitions);
  }

  /**
   * @param parents of every shard, by its id
   */
  public static void assertExact(
      List<ConsumerRecord<byte[], byte[]>> topic,
      List<Written> written,
      Map<String, List<String>> parents,
      Instant t,
      int partitions) {
    Map<String, Written> expected = new HashMap<>();
    for (Written record : written) {
      if (record.arrival().isBefore(t)) {
        expected.put(record.origin(), record);
      }
    }
    Set<String> seen = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : topic) {
      String origin = origin(record);
      assertThat(expected).as("written before T").containsKey(origin);
      assertThat(seen.add(origin)).as("%s stands in the topic once", origin).isTrue();
      assertSame(record, expected.get(origin), partitions);
    }
    assertThat(seen).as("records in the topic").hasSameSizeAs(expected.keySet());
    assertOrdered(topic, parents);
  }

  public static String origin(ConsumerRecord<byte[], byte[]> record) {
    return header(record, "kinesis.shard").orElse("?")
        + "/"
        + header(record, "kinesis.sequence").orElse("?")
        + header(record, "kinesis.subsequence").map(s -> "/" + s).orElse("");
  }

  private static Optional<String> header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
  }

  private static void assertSame(
      ConsumerRecord<byte[], byte[]> record, Written written, int partitions) {
    String origin = written.origin();
    byte[] key = written.key().map(k -> k.getBytes(StandardCharsets.UTF_8)).orElse(null);
    assertThat(record.key()).as("key of %s", origin).isEqualTo(key);
    assertThat(record.value()).as("value of %s", origin).isEqualTo(written.data());
    assertThat(record.timestamp())
        .as("timestamp of %s", origin)
        .isEqualTo(written.arrival().toEpochMilli());
    assertThat(header(record, "kinesis.explicit-hash-key"))
        .as("hash key of %s", origin)
        .isEqualTo(written.explicitHashKey());
    assertThat(header(record, "cutover.pin")).as("pin of %s", origin).isPresent();
    if (key != null) {
      assertThat(record.partition())
          .as("partition of %s", origin)
          .isEqualTo(BuiltInPartitioner.partitionForKey(key, partitions));
    }
  }

  private static Map<String, List<String>> parents(EmulatedStream stream) {
    Map<String, List<String>> parents = new HashMap<>();
    for (EmulatedShard shard : stream.shards()) {
      parents.put(
          shard.id(),
          Stream.of(shard.parent(), shard.adjacentParent()).flatMap(Optional::stream).toList());
    }
    return parents;
  }

  /** By offset: a shard's records rise, and no child's record stands before a parent's. */
  public static void assertOrdered(
      List<ConsumerRecord<byte[], byte[]>> topic, Map<String, List<String>> parents) {
    record Last(BigInteger sequence, int subSequence) {}
    Map<String, Last> last = new HashMap<>();
    Map<Integer, Set<String>> begun = new HashMap<>();
    Map<String, Set<String>> descendants = new HashMap<>();
    parents.keySet().forEach(shard -> descendants.put(shard, new HashSet<>()));
    parents.keySet().forEach(shard -> addToAncestors(shard, shard, parents, descendants));
    for (ConsumerRecord<byte[], byte[]> record : topic) {
      String shard = header(record, "kinesis.shard").orElseThrow();
      BigInteger sequence = new BigInteger(header(record, "kinesis.sequence").orElseThrow());
      int sub = header(record, "kinesis.subsequence").map(Integer::parseInt).orElse(-1);
      Last before = last.put(record.partition() + "/" + shard, new Last(sequence, sub));
      if (before != null) {
        int order = before.sequence().compareTo(sequence);
        assertThat(order < 0 || (order == 0 && before.subSequence() < sub))
            .as("%s follows %s in partition %s", sequence, before, record.partition())
            .isTrue();
      }
      Set<String> here = begun.computeIfAbsent(record.partition(), p -> new HashSet<>());
      here.add(shard);
      assertThat(descendants.get(shard))
          .as("no descendant of %s stands before offset %s", shard, record.offset())
          .doesNotContainAnyElementsOf(here);
    }
  }

  private static void addToAncestors(
      String shard,
      String descendant,
      Map<String, List<String>> parents,
      Map<String, Set<String>> descendants) {
    for (String parent : parents.get(shard)) {
      if (parents.containsKey(parent)) {
        descendants.get(parent).add(descendant);
        addToAncestors(parent, descendant, parents, descendants);
      }
    }
  }
}
