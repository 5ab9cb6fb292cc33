package io.cutover.backfill;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;

/** Tells a person at the attached client how far the job is, until it ends. */
final class Progress {

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final long ANSWER_SECONDS = 10;

  private final JobClient job;
  private final PrintWriter out;
  private final long beganNanos = System.nanoTime();

  Progress(JobClient job, PrintWriter out) {
    this.job = job;
    this.out = out;
  }

  /**
   * Waits for the job's end.
   *
   * @throws ExecutionException what the job failed with
   */
  JobExecutionResult untilEnd() throws ExecutionException, InterruptedException {
    CompletableFuture<JobExecutionResult> end = job.getJobExecutionResult();
    while (true) {
      try {
        return end.get(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException running) {
        tell();
      }
    }
  }

  /** The counts lag behind by a heartbeat or two; without an answer nothing is told. */
  private void tell() throws InterruptedException {
    try {
      Map<String, Object> counts = job.getAccumulators().get(ANSWER_SECONDS, TimeUnit.SECONDS);
      long records = count(counts, CopyCounters.RECORDS);
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      out.printf(
          "%4.0f s: %,d user records, %,.1f MB, %d shards at their end; %,.0f records/s%n",
          seconds,
          records,
          count(counts, CopyCounters.BYTES) / 1e6,
          count(counts, CopyCounters.SHARDS),
          records / seconds);
      out.flush();
    } catch (ExecutionException | TimeoutException unanswered) {
      // The job may have ended in between: its end is told by the other future.
    }
  }

  private static long count(Map<String, Object> counts, String name) {
    return counts.get(name) instanceof Long count ? count : 0;
  }
}
