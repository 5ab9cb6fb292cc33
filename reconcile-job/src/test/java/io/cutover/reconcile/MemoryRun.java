package io.cutover.reconcile;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.cutover.backfill.BenchmarkCopy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A reconciliation in a JVM of its own, with a Flink cluster in it, and the most memory it took.
 *
 * @param heapBytes the most that was used of the heap behind a garbage collection
 * @param residentBytes the most memory that the process had ({@code VmHWM})
 */
record MemoryRun(long heapBytes, long residentBytes, long collections, double seconds) {

  private static final String TOLD = "memory ";
  private static final String STATUS_KEY = "VmHWM:";
  private static final int KIB = 1024;

  /**
   * Runs it.
   *
   * @param heap of the JVM, in the form of {@code -Xmx}
   * @param collectMillis between two full collections that are forced, so that what is used behind
   *     one is what is live; 0 leaves it to the JVM
   */
  static MemoryRun of(
      BenchmarkCopy copy, long records, int parallelism, String heap, long collectMillis)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(arg -> arg.startsWith("--add-opens") || arg.startsWith("-D"))
        .forEach(command::add);
    command.addAll(List.of("-XX:+UseG1GC", "-Xmx" + heap));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(MemoryRun.class.getName());
    command.addAll(
        List.of(
            Long.toString(records), Integer.toString(parallelism), Long.toString(collectMillis)));
    copy.options().forEach((key, value) -> command.add(key + "=" + value));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      return out.lines()
          .filter(line -> line.startsWith(TOLD))
          .findFirst()
          .map(line -> parsed(line.substring(TOLD.length()).split(" ")))
          .orElseThrow(() -> new IOException("the reconciliation in its own JVM failed"));
    }
  }

  private static MemoryRun parsed(String[] numbers) {
    return new MemoryRun(
        Long.parseLong(numbers[0]),
        Long.parseLong(numbers[1]),
        Long.parseLong(numbers[2]),
        Double.parseDouble(numbers[3]));
  }

  /** Within that JVM: reconciles, which must clear, and tells the memory. */
  public static void main(String[] args) throws Exception {
    long records = Long.parseLong(args[0]);
    int parallelism = Integer.parseInt(args[1]);
    long collectMillis = Long.parseLong(args[2]);
    Map<String, String> options = new LinkedHashMap<>();
    Arrays.stream(args)
        .skip(3)
        .map(arg -> arg.split("=", 2))
        .forEach(option -> options.put(option[0], option[1]));
    HeapPeak peak = new HeapPeak();
    if (collectMillis > 0) {
      collectEvery(collectMillis);
    }
    BenchmarkRun run =
        BenchmarkRun.of(options, parallelism, StreamExecutionEnvironment::execute)
            .requireCleared(records);
    System.out.println(
        TOLD + peak.bytes + " " + resident() + " " + peak.collections + " " + run.seconds());
    System.exit(0);
  }

  private static void collectEvery(long millis) {
    Thread thread =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                System.gc();
                try {
                  Thread.sleep(millis);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            },
            "full collections");
    thread.setDaemon(true);
    thread.start();
  }

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(STATUS_KEY))
        .map(line -> line.substring(STATUS_KEY.length()).strip().split(" ")[0])
        .mapToLong(kib -> Long.parseLong(kib) * KIB)
        .findFirst()
        .orElseThrow();
  }

  /** The most that was used of the heap behind a collection, from now on. */
  private static final class HeapPeak {
    private final Set<String> pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());
    private volatile long bytes;
    private volatile long collections;

    HeapPeak() {
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        ((NotificationEmitter) collector)
            .addNotificationListener(
                (notification, handback) -> {
                  if (notification.getUserData() instanceof CompositeData data) {
                    heard(GarbageCollectionNotificationInfo.from(data));
                  }
                },
                null,
                null);
      }
    }

    private synchronized void heard(GarbageCollectionNotificationInfo collection) {
      long used =
          collection.getGcInfo().getMemoryUsageAfterGc().entrySet().stream()
              .filter(pool -> pools.contains(pool.getKey()))
              .mapToLong(pool -> pool.getValue().getUsed())
              .sum();
      collections++;
      bytes = Math.max(bytes, used);
    }
  }
}
