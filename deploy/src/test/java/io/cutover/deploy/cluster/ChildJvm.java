package io.cutover.deploy.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A JVM of its own with Flink's lib on its class path, and nothing of this one's. What it prints
 * stands in a file. It never outlives this JVM.
 */
final class ChildJvm implements AutoCloseable {

  /** What Flink's own scripts open for Java 17. */
  private static final List<String> OPENS =
      Stream.concat(
              Stream.of(
                      "lang",
                      "net",
                      "io",
                      "nio",
                      "lang.reflect",
                      "text",
                      "time",
                      "util",
                      "util.concurrent",
                      "util.concurrent.atomic",
                      "util.concurrent.locks")
                  .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED"),
              Stream.of(
                  "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                  "--add-exports=java.base/sun.net.util=ALL-UNNAMED"))
          .toList();

  /** Half the processor time of a start; the price is a slower process later on. */
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final Duration DIES_WITHIN = Duration.ofSeconds(30);

  private final String name;
  private final Path printed;
  private final Path log;
  private final Process process;
  private final Thread atExit;

  private ChildJvm(String name, FlinkHome home, Process process) {
    this.name = name;
    this.printed = home.log(name + ".out");
    this.log = home.log(name + ".log");
    this.process = process;
    this.atExit = new Thread(process::destroyForcibly, name + "-exit");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * @param name of the process and of its files in the home's log folder
   * @param heap the most it takes, in the form of {@code -Xmx}
   * @param command main class and arguments
   */
  static ChildJvm start(FlinkHome home, String name, String heap, List<String> command) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(QUICK_START);
    line.add("-Xmx" + heap);
    line.addAll(OPENS);
    line.add("-Djava.io.tmpdir=" + home.tmp());
    line.add("-Dlog.file=" + home.log(name + ".log"));
    line.add("-Dlog4j2.configurationFile=" + home.conf().resolve("log4j2.properties"));
    line.addAll(List.of("-cp", home.lib() + "/*"));
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line).directory(home.root().toFile());
    builder.environment().putAll(home.environment());
    builder.environment().keySet().removeAll(FlinkHome.INHERITED);
    builder.redirectErrorStream(true).redirectOutput(home.log(name + ".out").toFile());
    try {
      return new ChildJvm(name, home, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(name + " could not be started", e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** All that it has printed, on both streams. */
  String output() {
    return text(printed);
  }

  /** All that it has logged. */
  String log() {
    return text(log);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for its end.
   *
   * @return its exit code
   * @throws IllegalStateException when it does not end in time; it is killed then
   */
  int awaitExit(Duration patience) {
    if (!endsWithin(patience)) {
      kill();
      throw new IllegalStateException(
          "%s did not end within %d s. It printed:%n%s"
              .formatted(name, patience.toSeconds(), output()));
    }
    return process.exitValue();
  }

  /** Ends it at once (SIGKILL), as a lost machine would. */
  void kill() {
    process.destroyForcibly();
    if (!endsWithin(DIES_WITHIN)) {
      throw new IllegalStateException(name + " is there although it was killed");
    }
  }

  private boolean endsWithin(Duration time) {
    try {
      return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + name, e);
    }
  }

  @Override
  public void close() {
    kill();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  @Override
  public String toString() {
    return name + " (process " + process.pid() + ")";
  }
}
