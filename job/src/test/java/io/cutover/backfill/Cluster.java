package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.Refusal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.util.ExceptionUtils;

/** A Flink cluster in this JVM, with task managers that can be lost. */
public final class Cluster implements AutoCloseable {

  private final MiniCluster cluster;

  public Cluster(int taskManagers, int slotsEach) {
    this(taskManagers, slotsEach, new Configuration());
  }

  /**
   * @param flink what the cluster is to have beyond its defaults here
   */
  Cluster(int taskManagers, int slotsEach, Configuration flink) {
    flink.set(RestOptions.BIND_PORT, "0");
    flink.set(HeartbeatManagerOptions.HEARTBEAT_INTERVAL, Duration.ofMillis(500));
    flink.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, Duration.ofSeconds(20));
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(flink)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(slotsEach)
                .build());
    try {
      cluster.start();
    } catch (Exception e) {
      throw new IllegalStateException("the cluster does not start", e);
    }
  }

  MiniCluster mini() {
    return cluster;
  }

  JobID submit(JobGraph graph) throws Exception {
    return cluster.submitJob(graph).get(60, TimeUnit.SECONDS).getJobID();
  }

  /** Whether all tasks of the job run. */
  boolean running(JobID job) throws Exception {
    return cluster.getJobStatus(job).get(30, TimeUnit.SECONDS) == JobStatus.RUNNING
        && cluster
            .getExecutionGraph(job)
            .get(30, TimeUnit.SECONDS)
            .getAllExecutionVertices()
            .iterator()
            .next()
            .getExecutionState()
            .equals(ExecutionState.RUNNING);
  }

  /** Waits for the end of the job, whatever it is. */
  JobResult await(JobID job) throws Exception {
    return await(job, Duration.ofMinutes(3));
  }

  private JobResult await(JobID job, Duration patience) throws Exception {
    return cluster.requestJobResult(job).get(patience.toSeconds(), TimeUnit.SECONDS);
  }

  /** Runs a job that may take its time to its end, whatever that is. */
  public JobResult runLong(JobGraph graph) throws Exception {
    return await(submit(graph), Duration.ofMinutes(30));
  }

  /** Runs the job to its end; throws what it failed with. */
  void run(JobGraph graph) throws Exception {
    await(submit(graph)).toJobExecutionResult(getClass().getClassLoader());
  }

  /** Runs the job, which must fail; what it failed with. */
  Throwable runToFailure(JobGraph graph) throws Exception {
    return await(submit(graph))
        .getSerializedThrowable()
        .orElseThrow(() -> new AssertionError("the job ended well"))
        .deserializeError(getClass().getClassLoader());
  }

  /**
   * Runs the job, which must be refused; the refusal. It has 20 restarts and must not use them up:
   * the refusal suppresses them. One or two may come all the same, when the JobManager hears of
   * something else first, such as an event that did not reach the failing task.
   */
  Refusal runToRefusal(JobGraph graph) throws Exception {
    Throwable failure = runToFailure(graph);
    for (var task : cluster.getExecutionGraph(graph.getJobID()).get().getAllExecutionVertices()) {
      assertThat(task.getCurrentExecutionAttempt().getAttemptNumber())
          .as("restarts of %s", task.getTaskNameWithSubtaskIndex())
          .isLessThanOrEqualTo(2);
    }
    return ExceptionUtils.findSerializedThrowable(
            failure, Refusal.class, getClass().getClassLoader())
        .orElseThrow(() -> new AssertionError("the job failed, but for no refusal", failure));
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
