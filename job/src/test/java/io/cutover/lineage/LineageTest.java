package io.cutover.lineage;

import static io.cutover.lineage.Shards.closed;
import static io.cutover.lineage.Shards.eighths;
import static io.cutover.lineage.Shards.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineageTest {

  private final Shard parent = closed("parent", 0, 8);
  private final Shard low = open("low", 0, 4, "parent");
  private final Shard high = open("high", 4, 8, "parent");

  @Test
  void childrenCoverOnlyWhenEachKeyOfTheParentIsOwned() {
    assertThat(Lineage.of(List.of(parent)).childrenCover(parent)).isFalse();
    assertThat(Lineage.of(List.of(parent, low)).childrenCover(parent)).isFalse();
    assertThat(Lineage.of(List.of(parent, high)).childrenCover(parent)).isFalse();
    assertThat(Lineage.of(List.of(parent, high, low)).childrenCover(parent)).isTrue();
  }

  @Test
  void mergedChildCoversBothParents() {
    Shard left = closed("left", 0, 4);
    Shard right = closed("right", 4, 8);
    Lineage lineage = Lineage.of(List.of(left, right, open("merged", 0, 8, "left", "right")));
    assertThat(lineage.childrenCover(left)).isTrue();
    assertThat(lineage.childrenCover(right)).isTrue();
  }

  @Test
  void leavesTileWhenEachKeyHasOneOwner() {
    assertThat(Lineage.of(List.of(parent, low, high)).leavesTile()).isTrue();
    assertThat(Lineage.of(List.of(parent)).leavesTile()).isTrue();
    assertThat(Lineage.empty().leavesTile()).isFalse();
  }

  @Test
  void leavesDoNotTileAcrossAGapOrAnOverlap() {
    assertThat(Lineage.of(List.of(parent, low)).leavesTile()).isFalse();
    assertThat(Lineage.of(List.of(low, open("other", 5, 8))).leavesTile()).isFalse();
    assertThat(Lineage.of(List.of(low, open("other", 3, 8))).leavesTile()).isFalse();
    assertThat(Lineage.of(List.of(open("other", 1, 8))).leavesTile()).isFalse();
  }

  @Test
  void unionKeepsWhatALaterListingNoLongerShows() {
    Lineage union = Lineage.of(List.of(parent, low)).with(List.of(low, high));
    assertThat(union.ids()).containsExactly("parent", "low", "high");
    assertThat(union.children("parent")).containsExactly(low, high);
  }

  @Test
  void shardMayClose() {
    Lineage union = Lineage.of(List.of(open("a", 0, 8))).with(List.of(closed("a", 0, 8)));
    assertThat(union.shard("a").orElseThrow().closed()).isTrue();
  }

  @Test
  void shardThatOpensAgainIsRefused() {
    Lineage lineage = Lineage.of(List.of(parent));
    assertThatThrownBy(() -> lineage.with(List.of(open("parent", 0, 8))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("parent")
        .hasMessageContaining("pin anew");
  }

  @Test
  void changedParentsAreRefused() {
    Lineage lineage = Lineage.of(List.of(parent, low));
    assertThatThrownBy(() -> lineage.with(List.of(open("low", 0, 4, "other"))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("low")
        .hasMessageContaining("other");
  }

  @Test
  void changedRangeIsRefused() {
    Lineage lineage = Lineage.of(List.of(parent, low));
    assertThatThrownBy(() -> lineage.with(List.of(open("low", 0, 5, "parent"))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("low");
  }

  @Test
  void parentThatWasNeverListedConstrainsNothing() {
    Lineage lineage = Lineage.of(List.of(low, open("merged", 4, 8, "low", "expired")));
    assertThat(lineage.listedParents(low)).isEmpty();
    assertThat(lineage.listedParents(lineage.shard("merged").orElseThrow())).containsExactly(low);
  }

  @Test
  void shardNamesAtMostTwoParentsAndNotItself() {
    HashRange all = HashRange.ALL;
    assertThatThrownBy(() -> new Shard("a", List.of("b", "c", "d"), all, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Shard("a", List.of("a"), all, false))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Shard("", List.of(), all, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hashRangeStaysWithin128BitsAndDoesNotRunBackwards() {
    assertThatThrownBy(() -> new HashRange(BigInteger.ONE, BigInteger.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HashRange(BigInteger.ONE.negate(), BigInteger.ONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HashRange(BigInteger.ZERO, HashRange.MAX.add(BigInteger.ONE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(HashRange.ALL.size()).isEqualTo(BigInteger.ONE.shiftLeft(128));
    assertThat(eighths(0, 1).contains(eighths(0, 1).end())).isTrue();
    assertThat(eighths(0, 1).contains(eighths(1, 2).start())).isFalse();
  }
}
