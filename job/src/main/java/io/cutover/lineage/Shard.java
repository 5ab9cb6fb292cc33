package io.cutover.lineage;

import java.io.Serializable;
import java.util.List;

/**
 * A shard as ListShards shows it.
 *
 * @param id the shard id
 * @param parents none, the shard it was split from, or the two it was merged from; they are named
 *     for as long as the shard is listed, also after they have expired
 * @param range the hash keys it owns
 * @param closed whether it was split or merged and takes no more records
 */
public record Shard(String id, List<String> parents, HashRange range, boolean closed)
    implements Serializable {

  public Shard {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("a shard id is not empty");
    }
    if (parents.size() > 2 || parents.contains(id)) {
      throw new IllegalArgumentException(
          "shard " + id + " has at most two parents, none of them itself, but names " + parents);
    }
    parents = List.copyOf(parents);
  }
}
