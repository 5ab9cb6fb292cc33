package io.cutover.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.groups.InternalSourceReaderMetricGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** Subtask 1 of 3; keeps what the reader tells the enumerator. */
final class FakeReaderContext implements SourceReaderContext {

  final List<SourceEvent> events = new ArrayList<>();

  @Override
  public SourceReaderMetricGroup metricGroup() {
    return InternalSourceReaderMetricGroup.mock(new UnregisteredMetricsGroup());
  }

  @Override
  public Configuration getConfiguration() {
    return new Configuration();
  }

  @Override
  public String getLocalHostName() {
    return "localhost";
  }

  @Override
  public int getIndexOfSubtask() {
    return 1;
  }

  @Override
  public int currentParallelism() {
    return 3;
  }

  @Override
  public void sendSplitRequest() {
    throw new UnsupportedOperationException("shards are given out, not asked for");
  }

  @Override
  public void sendSourceEventToCoordinator(SourceEvent event) {
    events.add(event);
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
  }
}
