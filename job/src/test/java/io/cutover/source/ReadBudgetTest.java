package io.cutover.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ReadBudgetTest {

  private final List<String> resumed = new ArrayList<>();
  private final ReadBudget budget = new ReadBudget(100);

  private void reserve(String name, long bytes) {
    budget.reserve(bytes, () -> resumed.add(name));
  }

  @Test
  void callsPassUpToTheCapacity() {
    reserve("a", 60);
    reserve("b", 40);
    reserve("c", 1);
    assertThat(resumed).containsExactly("a", "b");
    assertThat(budget.reserved()).isEqualTo(100);
  }

  @Test
  void singleCallPassesHoweverSmallTheCapacity() {
    reserve("large", 1000);
    reserve("small", 1);
    assertThat(resumed).containsExactly("large");
    budget.release(1000);
    assertThat(resumed).containsExactly("large", "small");
  }

  @Test
  void waitersAreServedInTurn() {
    reserve("a", 100);
    reserve("large", 90);
    reserve("small", 5);
    budget.release(20);
    assertThat(resumed).containsExactly("a");
    budget.release(80);
    assertThat(resumed).containsExactly("a", "large", "small");
  }

  @Test
  void settlingForLessLetsOthersPass() {
    reserve("a", 100);
    reserve("b", 50);
    budget.settle(100, 10);
    assertThat(resumed).containsExactly("a", "b");
    assertThat(budget.reserved()).isEqualTo(60);
  }

  @Test
  void settlingForMoreHoldsUpTheNext() {
    reserve("a", 10);
    budget.settle(10, 100);
    reserve("b", 1);
    assertThat(resumed).containsExactly("a");
    budget.release(100);
    assertThat(resumed).containsExactly("a", "b");
    assertThat(budget.reserved()).isEqualTo(1);
  }

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
