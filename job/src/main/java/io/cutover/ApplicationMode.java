package io.cutover;

import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Whether the main method runs on the JobManager, where it runs again after each failover. */
public final class ApplicationMode {

  private ApplicationMode() {}

  public static boolean isOn() {
    return isOn(StreamExecutionEnvironment.getExecutionEnvironment().getConfiguration());
  }

  public static boolean isOn(ReadableConfig flink) {
    return "embedded".equals(flink.get(DeploymentOptions.TARGET));
  }
}
