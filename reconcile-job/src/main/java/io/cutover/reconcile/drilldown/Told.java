package io.cutover.reconcile.drilldown;

import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import java.util.Optional;

/** What the verdict must know beside the records that differ; one of these. */
public record Told(
    Optional<Compared> compared, Optional<ShardRead> shardRead, Optional<Recount> recount) {

  static Told of(Compared compared) {
    return new Told(Optional.of(compared), Optional.empty(), Optional.empty());
  }

  static Told of(ShardRead read) {
    return new Told(Optional.empty(), Optional.of(read), Optional.empty());
  }

  static Told of(Recount recount) {
    return new Told(Optional.empty(), Optional.empty(), Optional.of(recount));
  }
}
