package io.cutover.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ReadBudgetPropertyTest {

  @Property(tries = 500)
  void reservationsStayWithinTheCapacityAndEveryoneIsServed(@ForAll long seed) {
    Random random = new Random(seed);
    long capacity = 1 + random.nextInt(1000);
    ReadBudget shared = new ReadBudget(capacity);
    Deque<Long> underWay = new ArrayDeque<>();
    int[] served = {0};
    int asked = 100;
    for (int i = 0; i < asked; i++) {
      long bytes = 1 + random.nextInt(1500);
      shared.reserve(
          bytes,
          () -> {
            underWay.add(bytes);
            served[0]++;
            assertThat(shared.reserved() <= capacity || underWay.size() == 1).isTrue();
          });
      while (!underWay.isEmpty() && random.nextInt(3) == 0) {
        shared.release(underWay.poll());
      }
    }
    while (!underWay.isEmpty()) {
      shared.release(underWay.poll());
    }
    assertThat(served[0]).isEqualTo(asked);
    assertThat(shared.reserved()).isZero();
  }
}
