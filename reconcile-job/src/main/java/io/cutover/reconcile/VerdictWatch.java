package io.cutover.reconcile;

import io.cutover.CutoverDir;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.reconcile.judge.Outlets;
import io.cutover.reconcile.judge.Unfinished;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.telling.VerdictFiles;
import io.cutover.source.Admission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a reconciliation which reads the stream never ends without a verdict, also where
 * nobody waits for it: one that failed or was cancelled is INCONCLUSIVE. Runs on the JobManager.
 *
 * <p>A session cluster does not wait for {@link #over} before it closes the loader of the job's
 * classes. So what that needs is done once before, while classes can be loaded.
 */
record VerdictWatch(Plan plan) implements Admission {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(VerdictWatch.class);

  @Override
  public void beforeTasks(boolean anew) {
    try {
      // The connection's end needs classes too, or it holds up all that is closed behind it.
      KinesisAnswer.describe(plan.config());
      rehearse();
    } catch (IOException | RuntimeException e) {
      LOG.warn("If this run is cancelled or fails, it may leave no verdict.", e);
    }
  }

  /** Writes a verdict where nobody looks, and takes it away again. */
  private void rehearse() throws IOException {
    Path nowhere = Files.createTempDirectory("cutover-verdict");
    CutoverDir dir = new CutoverDir(nowhere.toUri().toString());
    Outlets discarded = new Outlets(new VerdictFiles(dir), Optional.empty());
    try {
      tellIfUntold(discarded);
      tellIfUntold(discarded);
      Outlets.of(plan.config());
    } finally {
      dir.names("").forEach(dir::delete);
      Files.delete(nowhere);
    }
  }

  @Override
  public void over() {
    try {
      tellIfUntold(Outlets.of(plan.config()));
    } catch (RuntimeException | LinkageError e) {
      // Whoever closes a source is silent about what goes wrong then.
      LOG.error("Run {} may have left no verdict.", plan.facts().run(), e);
      throw e;
    }
  }

  private void tellIfUntold(Outlets outlets) {
    if (!outlets.files().has(plan.facts().run())) {
      outlets.tell(
          Unfinished.report(
              plan, "The job failed or was cancelled: its own failure says why.", Instant.now()));
    }
  }
}
