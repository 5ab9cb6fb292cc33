package io.cutover;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Whether the main method runs on the JobManager, where it runs again after each failover. */
public final class ApplicationMode {

  private ApplicationMode() {}

  public static boolean isOn() {
    return isOn(StreamExecutionEnvironment.getExecutionEnvironment().getConfiguration());
  }

  public static boolean isOn(ReadableConfig flink) {
    return "embedded".equals(flink.get(DeploymentOptions.TARGET));
  }

  /**
   * Submits a job that does nothing, for a main method that has nothing to do: Flink takes an
   * application without a job for one that failed.
   */
  public static void submitNothing(String jobName) throws Exception {
    Configuration flink = new Configuration();
    // What the application is taken up from, if anything, is the state of a job that is over.
    flink.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(flink);
    env.setParallelism(1);
    env.fromData(0).sinkTo(new DiscardingSink<>());
    env.executeAsync(jobName);
  }
}
