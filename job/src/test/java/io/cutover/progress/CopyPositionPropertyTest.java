package io.cutover.progress;

import static io.cutover.progress.Histories.FIRST;
import static io.cutover.progress.Histories.PARTS;
import static io.cutover.progress.Histories.T;
import static io.cutover.progress.Histories.shard;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cutover.lineage.Shard;
import io.cutover.progress.ShardReached.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random lineages, read in random order, against the definition taken key by key. */
class CopyPositionPropertyTest {

  private static final long SPAN = T.toEpochMilli() - FIRST.toEpochMilli();

  @Property(tries = 500)
  void shareRisesFromZeroToOneAndIsTheMeanOverTheKeys(@ForAll long seed) {
    Random random = new Random(seed);
    List<Shard> shards = lineage(random);
    CopyPosition position = new CopyPosition(Histories.pin(shards));
    Map<String, ShardReached> told = new HashMap<>();
    assertThat(position.share()).isZero();
    double before = 0;
    for (int step = 0; step < 60; step++) {
      Shard shard = shards.get(random.nextInt(shards.size()));
      Stage end = isLeaf(shards, shard) ? Stage.DONE : Stage.CLOSED;
      ShardReached far =
          new ShardReached(
              FIRST.toEpochMilli() + random.nextLong(SPAN),
              random.nextInt(5) == 0 ? end : Stage.READ);
      told.merge(shard.id(), far, ShardReached::furthest);
      position.heard(Map.of(shard.id(), far));
      assertThat(position.share())
          .isGreaterThanOrEqualTo(before)
          .isCloseTo(meanOverKeys(shards, told), within(1e-9));
      before = position.share();
    }
    for (Shard shard : shards) {
      Stage end = isLeaf(shards, shard) ? Stage.DONE : Stage.CLOSED;
      position.heard(Map.of(shard.id(), new ShardReached(0, end)));
    }
    assertThat(position.share()).isEqualTo(1);
    assertThat(position.frontier()).isEmpty();
    assertThat(position.shardsDone()).isEqualTo(position.shards());
  }

  private static double meanOverKeys(List<Shard> shards, Map<String, ShardReached> told) {
    double sum = 0;
    for (int part = 0; part < PARTS; part++) {
      double furthest = 0;
      for (Shard shard : shards) {
        ShardReached far = told.getOrDefault(shard.id(), ShardReached.NOTHING);
        if (Histories.owns(shard, part)) {
          furthest =
              Math.max(
                  furthest,
                  far.stage() == Stage.DONE
                      ? 1
                      : (far.arrivalMillis() - FIRST.toEpochMilli()) / (double) SPAN);
        }
      }
      sum += furthest;
    }
    return sum / PARTS;
  }

  private static boolean isLeaf(List<Shard> shards, Shard shard) {
    return shards.stream().noneMatch(other -> other.parents().contains(shard.id()));
  }

  /** Of two roots, split and merged a few times. */
  private static List<Shard> lineage(Random random) {
    List<Shard> shards = new ArrayList<>(List.of(shard("0", 0, 24), shard("1", 24, PARTS)));
    List<int[]> open = new ArrayList<>(List.of(new int[] {0, 0, 24}, new int[] {1, 24, PARTS}));
    for (int i = 0; i < random.nextInt(12); i++) {
      int at = random.nextInt(open.size());
      int[] one = open.get(at);
      if (random.nextBoolean() && at + 1 < open.size()) {
        int[] two = open.remove(at + 1);
        open.set(at, child(shards, one[1], two[2], one[0], two[0]));
      } else if (one[2] - one[1] > 1) {
        int middle = one[1] + 1 + random.nextInt(one[2] - one[1] - 1);
        open.set(at, child(shards, one[1], middle, one[0]));
        open.add(at + 1, child(shards, middle, one[2], one[0]));
      }
    }
    return shards;
  }

  private static int[] child(List<Shard> shards, int from, int to, int... parents) {
    int id = shards.size();
    String[] names = new String[parents.length];
    for (int i = 0; i < parents.length; i++) {
      names[i] = Integer.toString(parents[i]);
    }
    shards.add(shard(Integer.toString(id), from, to, names));
    return new int[] {id, from, to};
  }
}
