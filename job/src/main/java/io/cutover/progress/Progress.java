package io.cutover.progress;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

/**
 * Tells a person at the attached client how far the job is, until it ends: a bar on a terminal, a
 * line every ten seconds otherwise.
 */
public final class Progress {

  private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
  private static final Duration BAR_INTERVAL = Duration.ofSeconds(2);
  private static final long ANSWER_SECONDS = 10;

  private final JobClient job;
  private final Watch watch;
  private final PrintWriter out;
  private final boolean terminal;

  /**
   * @param watch that hears what the job counts
   * @param terminal whether the output is one, not a log
   */
  public Progress(JobClient job, Watch watch, PrintWriter out, boolean terminal) {
    this.job = job;
    this.watch = watch;
    this.out = out;
    this.terminal = terminal;
  }

  /**
   * Waits for the job's end.
   *
   * @throws ExecutionException what the job failed with
   */
  public JobExecutionResult untilEnd() throws ExecutionException, InterruptedException {
    Duration interval = terminal ? BAR_INTERVAL : LINE_INTERVAL;
    CompletableFuture<JobExecutionResult> end = job.getJobExecutionResult();
    try (ProgressView view = ProgressView.on(out, terminal)) {
      while (true) {
        try {
          JobExecutionResult result = end.get(interval.toMillis(), TimeUnit.MILLISECONDS);
          view.show(watch.heard(result.getAllAccumulatorResults()));
          return result;
        } catch (TimeoutException running) {
          look(view);
        }
      }
    }
  }

  /** Without an answer nothing is told: the job may have ended, which the other future tells. */
  private void look(ProgressView view) throws InterruptedException {
    try {
      view.show(watch.heard(job.getAccumulators().get(ANSWER_SECONDS, TimeUnit.SECONDS)));
    } catch (ExecutionException | TimeoutException unanswered) {
      // Once more at the next look.
    }
  }
}
