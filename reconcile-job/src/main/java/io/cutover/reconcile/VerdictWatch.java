package io.cutover.reconcile;

import io.cutover.reconcile.judge.Outlets;
import io.cutover.reconcile.judge.Unfinished;
import io.cutover.reconcile.plan.Plan;
import io.cutover.source.Admission;
import java.time.Instant;

/**
 * Sees to it that a reconciliation which reads the stream never ends without a verdict, also where
 * nobody waits for it: one that failed or was cancelled is INCONCLUSIVE. Runs on the JobManager.
 */
record VerdictWatch(Plan plan) implements Admission {

  private static final long serialVersionUID = 1L;

  @Override
  public void over() {
    Outlets outlets = Outlets.of(plan.config());
    if (outlets.files().of(plan.facts().run()).isEmpty()) {
      outlets.tell(
          Unfinished.report(
              plan, "The job failed or was cancelled: its own failure says why.", Instant.now()));
    }
  }
}
