package io.cutover.reconcile.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.lineage.EndReason;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.side.Sampled;
import io.cutover.reconcile.side.ShardInPartition;
import io.cutover.report.ReportedShard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LineageOrderTest {

  private final Plans plans = new Plans();
  private final List<ShardInPartition> shards = new ArrayList<>();

  private LineageOrderTest lineage(Shard... lineage) {
    plans.listing(lineage);
    return this;
  }

  private LineageOrderTest at(String shard, long first, long last) {
    return at(0, shard, false, first, last);
  }

  private LineageOrderTest at(
      int partition, String shard, boolean afterBoundary, long first, long last) {
    shards.add(new ShardInPartition(partition, shard, afterBoundary, first, last));
    return this;
  }

  private Sampled violations() {
    return new LineageOrder(plans.plan()).violations(shards);
  }

  @Test
  void parentBeforeItsChildrenIsInOrder() {
    lineage(Plans.shard("p"), Plans.shard("a", "p"), Plans.shard("b", "p"));
    at("p", 0, 9).at("a", 10, 20).at("b", 12, 18);
    assertThat(violations()).isEqualTo(Sampled.NONE);
  }

  @Test
  void oneRecordOfAParentBehindAChildsFirstIsAViolation() {
    lineage(Plans.shard("p"), Plans.shard("a", "p"));
    at("p", 0, 11).at("a", 10, 20);
    assertThat(violations())
        .isEqualTo(
            new Sampled(
                1,
                List.of(
                    "partition 0: a begins at offset 10, before its ancestor p ends at offset"
                        + " 11")));
  }

  @Test
  void grandparentCountsThoughTheParentHoldsNothing() {
    lineage(Plans.shard("g"), Plans.shard("p", "g"), Plans.shard("a", "p"));
    at("a", 0, 5).at("g", 6, 6);
    assertThat(violations().count()).isEqualTo(1);
  }

  @Test
  void bothParentsOfAMergeStandBeforeIt() {
    lineage(Plans.shard("l"), Plans.shard("r"), Plans.shard("m", "l", "r"));
    at("l", 0, 4).at("m", 5, 9).at("r", 1, 4);
    assertThat(violations().count()).isZero();
    shards.remove(2);
    at("r", 1, 6);
    assertThat(violations().count()).isEqualTo(1);
  }

  @Test
  void ancestorByTwoWaysIsOnePair() {
    lineage(
        Plans.shard("g"), Plans.shard("l", "g"), Plans.shard("r", "g"), Plans.shard("m", "l", "r"));
    at("m", 0, 1).at("g", 2, 3);
    assertThat(violations().count()).isEqualTo(1);
  }

  @Test
  void siblingsAndStrangersMayMingle() {
    lineage(Plans.shard("p"), Plans.shard("a", "p"), Plans.shard("b", "p"), Plans.shard("x"));
    at("a", 0, 20).at("b", 1, 30).at("x", 0, 40);
    assertThat(violations().count()).isZero();
  }

  @Test
  void shardOfUnknownDescentIsHeldAgainstNone() {
    lineage(Plans.shard("a", "expired"));
    at("a", 0, 5).at("unknown", 1, 9);
    assertThat(violations().count()).isZero();
    // But a parent that is not listed any more is still its parent.
    at("expired", 3, 3);
    assertThat(violations().count()).isEqualTo(1);
  }

  @Test
  void partitionsAreNotHeldAgainstEachOther() {
    lineage(Plans.shard("p"), Plans.shard("a", "p"));
    at(0, "p", false, 0, 50).at(1, "a", false, 0, 20);
    assertThat(violations().count()).isZero();
  }

  /** The tail copies a parent's skipped records behind what the backfill copied of its child. */
  @Test
  void sidesOfTAreNotHeldAgainstEachOther() {
    lineage(Plans.shard("p"), Plans.shard("a", "p"));
    at(0, "p", true, 50, 60).at(0, "a", false, 10, 20);
    assertThat(violations().count()).isZero();
    at(0, "a", true, 55, 70);
    assertThat(violations().count()).isEqualTo(1);
  }

  @Test
  void descentIsKnownFromTheReportWhenTheShardIsNotListedAnyMore() {
    lineage();
    plans.reported = List.of(reported("p"), reported("a", "p"));
    at("a", 0, 5).at("p", 3, 3);
    assertThat(violations().count()).isEqualTo(1);
  }

  private static ReportedShard reported(String id, String... parents) {
    return new ReportedShard(
        id,
        List.of(parents),
        HashRange.ALL,
        EndReason.CLOSED,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        0);
  }

  @Test
  void lineageThatNamesItselfItsAncestorEnds() {
    lineage(Plans.shard("a", "b"), Plans.shard("b", "a"));
    at("a", 0, 5).at("b", 7, 9);
    assertThat(violations().count()).isPositive();
  }

  @Test
  void samplesAreCappedAndTheCountIsNot() {
    lineage(Plans.shard("p"), Plans.shard("a", "p"));
    for (int partition = 0; partition < 20; partition++) {
      at(partition, "p", false, 0, 11).at(partition, "a", false, 10, 20);
    }
    assertThat(violations().count()).isEqualTo(20);
    assertThat(violations().samples()).hasSize(Sampled.MOST);
  }
}
