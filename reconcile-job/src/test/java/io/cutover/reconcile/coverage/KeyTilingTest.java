package io.cutover.reconcile.coverage;

import static io.cutover.reconcile.coverage.Given.eighths;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.lineage.HashRange;
import io.cutover.reconcile.coverage.KeyTiling.Owned;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTilingTest {

  private static Owned owned(String shard, int from, int to) {
    return new Owned(eighths(from, to), shard);
  }

  @Test
  void everyKeyOnceIsNoFault() {
    assertThat(KeyTiling.faults(List.of(owned("b", 3, 8), owned("a", 0, 3)))).isEmpty();
    assertThat(KeyTiling.faults(List.of(new Owned(HashRange.ALL, "all")))).isEmpty();
  }

  @Test
  void holesAreNamedWithTheirKeys() {
    assertThat(KeyTiling.faults(List.of(owned("a", 1, 3), owned("b", 4, 7))))
        .containsExactly(
            "no shard owns hash keys " + KeyTiling.text(eighths(0, 1)),
            "no shard owns hash keys " + KeyTiling.text(eighths(3, 4)),
            "no shard owns hash keys " + KeyTiling.text(eighths(7, 8)));
    assertThat(KeyTiling.faults(List.of()))
        .containsExactly("no shard owns hash keys " + KeyTiling.text(HashRange.ALL));
  }

  @Test
  void overlapsAreNamedWithBothOwnersAndTheirKeys() {
    assertThat(KeyTiling.faults(List.of(owned("a", 0, 5), owned("b", 3, 8))))
        .containsExactly("a and b both own hash keys " + KeyTiling.text(eighths(3, 5)));
    assertThat(KeyTiling.faults(List.of(owned("a", 0, 8), owned("b", 2, 3), owned("c", 5, 8))))
        .containsExactly(
            "a and b both own hash keys " + KeyTiling.text(eighths(2, 3)),
            "a and c both own hash keys " + KeyTiling.text(eighths(5, 8)));
  }

  @Test
  void onlyPartsThatLeaveNoHoleCoverTheWhole() {
    assertThat(KeyTiling.covers(List.of(eighths(4, 8), eighths(2, 4)), eighths(3, 7))).isTrue();
    assertThat(KeyTiling.covers(List.of(eighths(0, 8)), eighths(3, 7))).isTrue();
    assertThat(KeyTiling.covers(List.of(eighths(3, 4), eighths(5, 7)), eighths(3, 7))).isFalse();
    assertThat(KeyTiling.covers(List.of(eighths(3, 6)), eighths(3, 7))).isFalse();
    assertThat(KeyTiling.covers(List.of(eighths(4, 7)), eighths(3, 7))).isFalse();
    assertThat(KeyTiling.covers(List.of(), eighths(3, 7))).isFalse();
  }
}
