package io.cutover.reconcile;

import io.cutover.reconcile.Truth.Place;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Says which records of a copy stand in the wrong order: within each partition, on either side of T
 * by their timestamps, a shard's origins rise, and no parent's record stands behind a descendant's.
 * The same origin twice in a row is a double.
 */
record OrderOracle(TruthTerms terms) {

  /** What stands where in one partition, on one side of T. */
  private record Lane(int partition, boolean fromBoundaryOn) {}

  private record At(BigInteger sequence, OptionalInt subSequence) {
    boolean isBefore(At other) {
      int bySequence = sequence.compareTo(other.sequence);
      return bySequence < 0
          || (bySequence == 0 && subSequence.orElse(-1) < other.subSequence.orElse(-1));
    }
  }

  List<Place> disordered(List<ConsumerRecord<byte[], byte[]>> contents) {
    Map<Lane, Map<String, At>> highest = new HashMap<>();
    List<Place> disordered = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : contents) {
      if (VerdictOracle.origin(record).isEmpty() || !VerdictOracle.isOf(terms.pinId(), record)) {
        continue;
      }
      String shard = VerdictOracle.header(record, "kinesis.shard").orElseThrow();
      At at =
          new At(
              new BigInteger(VerdictOracle.header(record, "kinesis.sequence").orElseThrow()),
              VerdictOracle.header(record, "kinesis.subsequence")
                  .map(sub -> OptionalInt.of(Integer.parseInt(sub)))
                  .orElse(OptionalInt.empty()));
      boolean late = record.timestamp() >= terms.boundary().toEpochMilli();
      Map<String, At> lane =
          highest.computeIfAbsent(new Lane(record.partition(), late), l -> new HashMap<>());
      boolean behindItsOwn = lane.containsKey(shard) && at.isBefore(lane.get(shard));
      boolean behindADescendant =
          lane.keySet().stream().anyMatch(other -> ancestors(other).contains(shard));
      if (behindItsOwn || behindADescendant) {
        disordered.add(VerdictOracle.place(record));
      }
      if (!behindItsOwn) {
        lane.put(shard, at);
      }
    }
    return disordered;
  }

  private Set<String> ancestors(String shard) {
    Set<String> ancestors = new HashSet<>();
    List<String> toVisit = new ArrayList<>(terms.parents().getOrDefault(shard, List.of()));
    while (!toVisit.isEmpty()) {
      String ancestor = toVisit.remove(0);
      if (ancestors.add(ancestor)) {
        toVisit.addAll(terms.parents().getOrDefault(ancestor, List.of()));
      }
    }
    return ancestors;
  }
}
