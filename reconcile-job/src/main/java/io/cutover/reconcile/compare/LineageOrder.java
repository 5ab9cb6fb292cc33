package io.cutover.reconcile.compare;

import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.Sampled;
import io.cutover.reconcile.side.ShardInPartition;
import io.cutover.report.ReportedShard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether in each partition, on either side of T, every record of a parent stands before any of its
 * children's.
 */
public final class LineageOrder {

  private record Place(int partition, boolean afterBoundary) {}

  private final Map<String, List<String>> parents = new HashMap<>();
  private final Map<String, Set<String>> ancestors = new HashMap<>();

  public LineageOrder(Plan plan) {
    plan.pin().shards().forEach(shard -> parents.put(shard.id(), shard.parents()));
    plan.facts().listing().forEach(shard -> parents.put(shard.id(), shard.parents()));
    for (ReportedShard shard : plan.facts().copy().shards()) {
      parents.put(shard.id(), shard.parents());
    }
  }

  /** Each pair of an ancestor and a descendant that stand the wrong way round in a partition. */
  public Sampled violations(List<ShardInPartition> shards) {
    Map<Place, Map<String, ShardInPartition>> places = new HashMap<>();
    for (ShardInPartition shard : shards) {
      places
          .computeIfAbsent(
              new Place(shard.partition(), shard.afterBoundary()), place -> new HashMap<>())
          .put(shard.shard(), shard);
    }
    long count = 0;
    List<String> samples = new ArrayList<>();
    for (Map<String, ShardInPartition> place : places.values()) {
      for (ShardInPartition child : place.values()) {
        for (String id : ancestors(child.shard())) {
          ShardInPartition ancestor = place.get(id);
          if (ancestor != null && ancestor.lastOffset() > child.firstOffset()) {
            count++;
            if (samples.size() < Sampled.MOST) {
              samples.add(text(ancestor, child));
            }
          }
        }
      }
    }
    return new Sampled(count, samples);
  }

  private static String text(ShardInPartition ancestor, ShardInPartition child) {
    return "partition "
        + child.partition()
        + ": "
        + child.shard()
        + " begins at offset "
        + child.firstOffset()
        + ", before its ancestor "
        + ancestor.shard()
        + " ends at offset "
        + ancestor.lastOffset();
  }

  private Set<String> ancestors(String shard) {
    Set<String> known = ancestors.get(shard);
    if (known == null) {
      known = new HashSet<>();
      // Entered before its parents are asked: a lineage that names itself its own ancestor ends.
      ancestors.put(shard, known);
      for (String parent : parents.getOrDefault(shard, List.of())) {
        known.add(parent);
        known.addAll(ancestors(parent));
      }
    }
    return known;
  }
}
