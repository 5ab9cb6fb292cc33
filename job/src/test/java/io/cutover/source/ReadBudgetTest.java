package io.cutover.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
}
