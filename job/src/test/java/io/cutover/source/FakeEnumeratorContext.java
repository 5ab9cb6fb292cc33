package io.cutover.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/** The JobManager's side of the protocol on the test's own thread: a call runs when it says so. */
final class FakeEnumeratorContext implements SplitEnumeratorContext<ShardSplit> {

  final Map<String, Integer> assigned = new LinkedHashMap<>();
  final Map<String, ShardSplit> splits = new HashMap<>();
  final List<Integer> noMoreSplits = new ArrayList<>();
  final List<Boolean> backlog = new ArrayList<>();

  private final int parallelism;
  private final Map<Integer, ReaderInfo> readers = new HashMap<>();
  private final Queue<Runnable> calls = new ArrayDeque<>();
  private Runnable tick = () -> {};

  /** The last event to each subtask. */
  final Map<Integer, SourceEvent> sent = new HashMap<>();

  FakeEnumeratorContext(int parallelism) {
    this.parallelism = parallelism;
  }

  /** Runs the calls under way, and what they lead to. */
  void runCalls() {
    while (!calls.isEmpty()) {
      calls.remove().run();
    }
  }

  int callsUnderWay() {
    return calls.size();
  }

  void tick() {
    tick.run();
    runCalls();
  }

  void register(int subtask) {
    readers.put(subtask, new ReaderInfo(subtask, "localhost"));
  }

  void unregister(int subtask) {
    readers.remove(subtask);
  }

  @Override
  public SplitEnumeratorMetricGroup metricGroup() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void sendEventToSourceReader(int subtask, SourceEvent event) {
    sent.put(subtask, event);
  }

  @Override
  public int currentParallelism() {
    return parallelism;
  }

  @Override
  public Map<Integer, ReaderInfo> registeredReaders() {
    return Map.copyOf(readers);
  }

  @Override
  public void assignSplits(SplitsAssignment<ShardSplit> assignment) {
    assignment
        .assignment()
        .forEach(
            (subtask, given) ->
                given.forEach(
                    split -> {
                      assigned.put(split.splitId(), subtask);
                      splits.put(split.splitId(), split);
                    }));
  }

  @Override
  public void signalNoMoreSplits(int subtask) {
    noMoreSplits.add(subtask);
  }

  @Override
  public void setIsProcessingBacklog(boolean isProcessingBacklog) {
    backlog.add(isProcessingBacklog);
  }

  @Override
  public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    calls.add(call(callable, handler));
  }

  @Override
  public <T> void callAsync(
      Callable<T> callable, BiConsumer<T, Throwable> handler, long initialDelay, long period) {
    tick = call(callable, handler);
  }

  private static <T> Runnable call(Callable<T> callable, BiConsumer<T, Throwable> handler) {
    return () -> {
      T result;
      try {
        result = callable.call();
      } catch (Throwable failure) {
        handler.accept(null, failure);
        return;
      }
      handler.accept(result, null);
    };
  }

  @Override
  public void runInCoordinatorThread(Runnable runnable) {
    calls.add(runnable);
  }
}
