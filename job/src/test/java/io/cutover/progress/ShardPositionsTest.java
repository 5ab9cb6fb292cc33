package io.cutover.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.progress.ShardReached.Stage;
import java.io.IOException;
import java.util.Map;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class ShardPositionsTest {

  private static ShardPositions of(String shard, long... arrivals) {
    ShardPositions positions = new ShardPositions();
    for (long arrival : arrivals) {
      positions.of(shard).read(arrival);
    }
    return positions;
  }

  @Test
  void positionIsTheLatestArrivalWhateverItsOrder() {
    assertThat(of("a", 5, 9, 7).getLocalValue())
        .isEqualTo(Map.of("a", new ShardReached(9, Stage.READ)));
  }

  @Test
  void subtasksAddUpToTheFurthestOfEachShard() {
    ShardPositions one = of("a", 9);
    ShardPositions other = of("b", 3);
    other.of("a").reached(new ShardReached(4, Stage.CLOSED));
    one.merge(other);
    assertThat(one.getLocalValue())
        .isEqualTo(
            Map.of("a", new ShardReached(9, Stage.CLOSED), "b", new ShardReached(3, Stage.READ)));
  }

  @Test
  void cloneGoesItsOwnWay() {
    ShardPositions one = of("a", 9);
    ShardPositions clone = one.clone();
    one.of("a").read(20);
    assertThat(clone.getLocalValue()).isEqualTo(of("a", 9).getLocalValue());
  }

  @Test
  void positionsTravel() throws IOException, ClassNotFoundException {
    ShardPositions sent = of("a", 9);
    ShardPositions arrived =
        InstantiationUtil.deserializeObject(
            InstantiationUtil.serializeObject(sent), getClass().getClassLoader());
    assertThat(arrived.getLocalValue()).isEqualTo(sent.getLocalValue());
  }
}
