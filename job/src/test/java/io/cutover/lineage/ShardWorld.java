package io.cutover.lineage;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A stream that is resharded at random while it is looked at. Its listings lag behind: a parent
 * shows as closed before its children show, and those show one by one. Some ancestors had expired
 * before anybody looked; others expire later.
 */
final class ShardWorld {

  private final Random random;
  private final List<Shard> shards = new ArrayList<>();
  private final Set<String> closed = new HashSet<>();
  private final Set<String> expired = new HashSet<>();
  private final Map<String, Integer> createdAt = new HashMap<>();
  private final int reshards;
  private int now;
  private int visible;

  ShardWorld(Random random) {
    this.random = random;
    int roots = 1 + random.nextInt(4);
    BigInteger share = HashRange.ALL.size().divide(BigInteger.valueOf(roots));
    for (int i = 0; i < roots; i++) {
      BigInteger start = share.multiply(BigInteger.valueOf(i));
      BigInteger end = i == roots - 1 ? HashRange.MAX : start.add(share).subtract(BigInteger.ONE);
      create(List.of(), new HashRange(start, end));
    }
    int past = random.nextInt(8);
    for (int i = 0; i < past; i++) {
      reshard();
    }
    visible = shards.size();
    forgetSomeAncestors();
    reshards = past + random.nextInt(10);
  }

  private void forgetSomeAncestors() {
    for (Shard shard : shards) {
      boolean orphan = expired.containsAll(shard.parents());
      if (closed.contains(shard.id()) && orphan && random.nextInt(3) == 0) {
        expired.add(shard.id());
      }
    }
  }

  private void create(List<String> parents, HashRange range) {
    Shard shard = new Shard("s" + shards.size(), parents, range, false);
    shards.add(shard);
    createdAt.put(shard.id(), now);
  }

  boolean more() {
    return now < reshards;
  }

  /** One split or merge. */
  void reshard() {
    now++;
    List<Shard> open = shards.stream().filter(s -> !closed.contains(s.id())).toList();
    Shard one = open.get(random.nextInt(open.size()));
    Optional<Shard> neighbour =
        open.stream()
            .filter(s -> s.range().start().equals(one.range().end().add(BigInteger.ONE)))
            .findFirst();
    if (neighbour.isPresent() && random.nextBoolean()) {
      Shard two = neighbour.get();
      closed.add(one.id());
      closed.add(two.id());
      create(List.of(one.id(), two.id()), new HashRange(one.range().start(), two.range().end()));
    } else if (one.range().size().bitLength() > 2) {
      closed.add(one.id());
      BigInteger middle = one.range().start().add(one.range().size().shiftRight(1));
      List<String> parents = List.of(one.id());
      create(parents, new HashRange(one.range().start(), middle.subtract(BigInteger.ONE)));
      create(parents, new HashRange(middle, one.range().end()));
    }
  }

  void showOneMore() {
    visible = Math.min(visible + 1, shards.size());
  }

  void showAll() {
    visible = shards.size();
  }

  void expire(String id) {
    if (closed.contains(id)) {
      expired.add(id);
    }
  }

  /** What ListShards shows now. */
  List<Shard> listing() {
    return shards.subList(0, visible).stream()
        .filter(s -> !expired.contains(s.id()))
        .map(s -> new Shard(s.id(), s.parents(), s.range(), closed.contains(s.id())))
        .toList();
  }

  boolean closed(String id) {
    return closed.contains(id);
  }

  int now() {
    return now;
  }

  /** The shards made out of this one up to a moment. */
  List<Shard> childrenUpTo(String id, int moment) {
    return shards.stream()
        .filter(s -> s.parents().contains(id) && createdAt.get(s.id()) <= moment)
        .toList();
  }
}
