package io.cutover.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random trees, learned bit by bit, under random schedules with losses. */
class LineagePropertyTest {

  private static final int ROUNDS_TO_END = 60;

  @Property(tries = 1500)
  void leavesTileAllKeys(@ForAll long seed) {
    ShardWorld world = new ShardWorld(new Random(seed));
    while (world.more()) {
      world.reshard();
      world.showAll();
      assertThat(Lineage.of(world.listing()).leavesTile()).isTrue();
    }
  }

  @Property(tries = 1500)
  void unionOfListingsDoesNotDependOnWhatEachShowed(@ForAll long seed) {
    ShardWorld world = new ShardWorld(new Random(seed));
    Lineage seen = Lineage.of(world.listing());
    while (world.more()) {
      world.reshard();
      world.showOneMore();
      seen = seen.with(world.listing());
    }
    world.showAll();
    assertThat(seen.with(world.listing())).isEqualTo(Lineage.of(world.listing()));
  }

  @Property(tries = 3000)
  void orderedCopyEndsCompleteWithEachParentBeforeItsChildren(@ForAll long seed) {
    assertEndsComplete(new Random(seed), ReleasePolicy.ORDERED);
  }

  @Property(tries = 1500)
  void unorderedReadingEndsComplete(@ForAll long seed) {
    assertEndsComplete(new Random(seed), ReleasePolicy.UNORDERED);
  }

  /** A shard that ended at its tip expires from the listing before its children are shown in it. */
  @Example
  void shardThatIsGoneBeforeItsChildrenShowIsNotTheEnd() {
    assertEndsComplete(new Random(-5728403548261582987L), ReleasePolicy.UNORDERED);
  }

  private static void assertEndsComplete(Random random, ReleasePolicy policy) {
    SimulatedCopy copy = new SimulatedCopy(random, new ShardWorld(random), policy);
    int steps = random.nextInt(150);
    for (int i = 0; i < steps; i++) {
      copy.anything();
    }
    int rounds = 0;
    while (!copy.tracker().done()) {
      assertThat(++rounds).as("rounds without an end").isLessThan(ROUNDS_TO_END);
      copy.everything();
    }
    copy.assertComplete();
  }
}
