package io.cutover.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.lineage.LineageTracker.Released;
import org.junit.jupiter.api.Test;

class LoadsTest {

  private static final Released ANY = new Released.ToAny(Given.shard("any"));
  private final Loads loads = new Loads();

  LoadsTest() {
    loads.open(0);
    loads.open(1);
    loads.open(2);
  }

  private static Released bound(int subtask) {
    return new Released.ToSubtask(Given.shard("bound"), subtask);
  }

  @Test
  void leastBusyTakesTheNextShard() {
    loads.add(0, 2);
    loads.add(1, 1);
    loads.add(2, 1);
    assertThat(loads.subtaskFor(ANY)).hasValue(1);
    loads.add(1, 1);
    assertThat(loads.subtaskFor(ANY)).hasValue(2);
    loads.add(0, -2);
    assertThat(loads.subtaskFor(ANY)).hasValue(0);
  }

  @Test
  void boundShardGoesWhereItsParentsEnded() {
    loads.add(2, 1);
    assertThat(loads.subtaskFor(bound(2))).hasValue(2);
  }

  @Test
  void boundShardWaitsWhenItsSubtaskIsClearlyBusier() {
    loads.add(2, 2);
    assertThat(loads.subtaskFor(bound(2))).isEmpty();
  }

  @Test
  void subtaskThatWasToldThatNoMoreComeTakesNone() {
    loads.add(1, 1);
    loads.add(2, 1);
    loads.close(0);
    assertThat(loads.subtaskFor(ANY)).hasValue(1);
    assertThat(loads.subtaskFor(bound(0))).isEmpty();
    loads.close(1);
    loads.close(2);
    assertThat(loads.subtaskFor(ANY)).isEmpty();
  }

  @Test
  void registrationBeginsWithNothing() {
    loads.add(0, 5);
    loads.open(0);
    loads.add(0, 1);
    loads.add(1, 2);
    loads.add(2, 2);
    assertThat(loads.subtaskFor(ANY)).hasValue(0);
  }
}
