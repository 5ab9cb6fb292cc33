package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.kpl.KplBlob;
import io.cutover.kpl.KplBlob.Member;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.rig.Producer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A stream that has all that a copy can meet, some three hundred user records over three days: a
 * split and a merge, aggregates, an empty key, hash keys, what only looks like an aggregate,
 * records at the edges of windows and of T, doubles by the producer, a shard without records.
 */
final class TruthStream {

  /** How many shards it begins with. */
  static final int SHARDS = 4;

  private static final Duration STEP = Duration.ofMinutes(10);
  private static final Duration DAY = Duration.ofDays(1);

  /**
   * The shards by what became of them.
   *
   * @param split closed; its children are the next two
   * @param merged closed, both; their child is the next
   * @param empty open, without a record
   */
  record Shards(
      String split, String low, String high, List<String> merged, String child, String empty) {}

  private TruthStream() {}

  /** Writes it to the stream of a rig, which has {@link #SHARDS} shards and nothing in them. */
  static Shards write(TruthRig rig) {
    Producer producer = rig.producer();
    Instant t = rig.t();
    List<String> roots = rig.stream().shards().stream().map(EmulatedShard::id).toList();
    Instant begin = t.minus(DAY.multipliedBy(3));
    for (String root : roots.subList(0, 3)) {
      producer.fill(root, 40, begin, STEP);
      producer.aggregate(root, members(root, 5), begin.plus(DAY.dividedBy(2)));
    }
    List<EmulatedShard> children = rig.stream().split(roots.get(0), t.minus(DAY.multipliedBy(2)));
    for (EmulatedShard child : children) {
      producer.fill(child.id(), 40, t.minus(DAY.multipliedBy(2)).plus(STEP), STEP);
      producer.aggregate(child.id(), members(child.id(), 7), t.minus(DAY));
    }
    EmulatedShard merged = rig.stream().merge(roots.get(1), roots.get(2), t.minus(DAY));
    producer.fill(merged.id(), 40, t.minus(DAY).plus(STEP), STEP);
    edges(producer, merged.id(), t);
    return new Shards(
        roots.get(0),
        children.get(0).id(),
        children.get(1).id(),
        roots.subList(1, 3),
        merged.id(),
        roots.get(3));
  }

  private static void edges(Producer producer, String shard, Instant t) {
    Instant edge = t.minus(TruthRig.WINDOW.multipliedBy(2));
    producer.put(shard, "edge", "the last of its window", edge.minusMillis(1));
    producer.put(shard, "edge", "the first of its window", edge);
    producer.put(shard, "double", "the same again", edge.plusSeconds(1));
    producer.put(shard, "double", "the same again", edge.plusSeconds(1));
    producer.blob(shard, KplBlob.malformed().get("wrong MD5"), edge.plusSeconds(2));
    producer.put(shard, Optional.of("no data"), new byte[0], edge.plusSeconds(3));
    producer.put(shard, "edge", "arrived early, stands late", edge.minusSeconds(5));
    producer.put(shard, "edge", "the last before T", t.minusMillis(1));
    producer.put(shard, "edge", "T itself", t);
    producer.put(shard, "edge", "from before T, behind one from T on", t.minusSeconds(1));
  }

  /** The first has an empty key, the second a hash key; the last two are the same. */
  private static List<Member> members(String shard, int count) {
    List<Member> members = new ArrayList<>();
    members.add(new Member("", Optional.empty(), "empty key".getBytes(UTF_8)));
    members.add(new Member("hashed", Optional.of("7"), "hash key".getBytes(UTF_8)));
    for (int i = 2; i < count; i++) {
      String text = shard + " member " + Math.min(i, count - 2);
      members.add(new Member("key-" + i % 3, Optional.empty(), text.getBytes(UTF_8)));
    }
    return members;
  }
}
