package io.cutover.reconcile.coverage;

import static java.util.stream.Collectors.toMap;

import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.report.ReportedShard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** Every shard of the pin, of the copy's report and of a listing, with who descends from whom. */
final class Family {

  private final Map<String, KnownShard> shards = new TreeMap<>();
  private final Map<String, List<KnownShard>> children = new HashMap<>();

  Family(Pin pin, Collection<ReportedShard> report, Collection<Shard> listing) {
    Map<String, Shard> pinned = byId(pin.shards(), Shard::id);
    Map<String, ReportedShard> reported = byId(report, ReportedShard::id);
    Map<String, Shard> listed = byId(listing, Shard::id);
    Set<String> ids = new TreeSet<>(pin.openAtBoundary());
    ids.addAll(pinned.keySet());
    ids.addAll(reported.keySet());
    ids.addAll(listed.keySet());
    for (String id : ids) {
      KnownShard shard =
          new KnownShard(
              id,
              Optional.ofNullable(pinned.get(id)),
              Optional.ofNullable(reported.get(id)),
              Optional.ofNullable(listed.get(id)),
              pin.openAtBoundary().contains(id));
      shards.put(id, shard);
      shard.parents().forEach(p -> children.computeIfAbsent(p, x -> new ArrayList<>()).add(shard));
    }
  }

  private static <T> Map<String, T> byId(Collection<T> shards, Function<T, String> id) {
    return shards.stream().collect(toMap(id, Function.identity()));
  }

  /** All of them, by id. */
  Collection<KnownShard> shards() {
    return shards.values();
  }

  /** The parents of which anything is known. */
  List<KnownShard> parents(KnownShard shard) {
    return shard.parents().stream().map(shards::get).filter(parent -> parent != null).toList();
  }

  List<KnownShard> children(KnownShard shard) {
    return children.getOrDefault(shard.id(), List.of());
  }

  /** Whether the children of a kind together own every hash key that the shard owned. */
  boolean childrenCover(KnownShard shard, Predicate<KnownShard> kind) {
    List<HashRange> parts =
        children(shard).stream().filter(kind).flatMap(child -> child.range().stream()).toList();
    return shard.range().map(whole -> KeyTiling.covers(parts, whole)).orElse(false);
  }

  /** The shards of a kind without a child of that kind. */
  List<KnownShard> leaves(Predicate<KnownShard> kind) {
    return shards().stream()
        .filter(kind)
        .filter(shard -> children(shard).stream().noneMatch(kind))
        .toList();
  }
}
