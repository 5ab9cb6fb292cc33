package io.cutover.local.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** One life of the broker's JVM, from its start to its end. */
final class BrokerProcess {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  /** Half the processor time of a start; the price is a slower broker later on. */
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final int POLL_MILLIS = 50;
  private static final int LOG_TAIL_LINES = 40;

  private final BrokerSettings settings;
  private final Process process;

  private BrokerProcess(BrokerSettings settings, Process process) {
    this.settings = settings;
    this.process = process;
  }

  /** Starts the process and does not wait for what comes of it. */
  static BrokerProcess start(BrokerSettings settings) {
    try {
      settings.prepare();
      return new BrokerProcess(settings, launch(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The broker could not be started in %s".formatted(settings.directory()), e);
    }
  }

  private static Process launch(BrokerSettings settings) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(settings.longLived() ? List.of() : QUICK_START);
    command.addAll(
        List.of(
            "-Xmx" + settings.heap(),
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.awt.headless=true",
            "-Djava.io.tmpdir=" + settings.temporaryFiles(),
            "-Dlog4j2.configurationFile=classpath:io/cutover/local/kafka/broker-log4j2.properties",
            "-cp",
            BrokerClassPath.ofThisJvm(),
            BrokerMain.class.getName(),
            settings.propertiesFile().toString(),
            settings.data().toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(settings.directory().toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(settings.log().toFile()));
    return builder.start();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void stop() {
    // Process.destroy would also close the pipe, and the broker would halt as if orphaned.
    process.toHandle().destroy();
    if (!endsWithin(STOP_TIMEOUT)) {
      kill();
    }
  }

  void kill() {
    process.destroyForcibly();
    if (!endsWithin(STOP_TIMEOUT)) {
      throw new IllegalStateException(
          "The broker's process %d is there %d s after it was killed"
              .formatted(process.pid(), STOP_TIMEOUT.toSeconds()));
    }
  }

  /** Returns when the broker answers; throws when it ends instead, or does not in time. */
  void awaitReady() {
    long deadline = System.nanoTime() + settings.startTimeout().toNanos();
    // Clients log a warning for each refused connection: ask them only once the port is open.
    while (!listens()) {
      checkStarting(deadline, "its port is not open");
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", settings.bootstrapServers()))) {
      while (!answers(admin)) {
        checkStarting(deadline, "it takes no requests");
      }
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port()), POLL_MILLIS);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  /** A broker that is not yet registered with its controller is not among the nodes. */
  private static boolean answers(Admin admin) {
    try {
      return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
    } catch (ExecutionException | TimeoutException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the broker starts", e);
    }
  }

  private void checkStarting(long deadline, String state) {
    if (endsWithin(Duration.ofMillis(POLL_MILLIS))) {
      throw new IllegalStateException(
          "The broker on %s ended while it started, with exit code %d. The end of its log:%n%s"
              .formatted(settings.bootstrapServers(), process.exitValue(), logTail()));
    }
    if (System.nanoTime() - deadline > 0) {
      throw new IllegalStateException(
          "The broker on %s is not ready after %d s: %s. The end of its log:%n%s"
              .formatted(
                  settings.bootstrapServers(),
                  settings.startTimeout().toSeconds(),
                  state,
                  logTail()));
    }
  }

  private boolean endsWithin(Duration time) {
    try {
      return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the broker", e);
    }
  }

  private String logTail() {
    try {
      List<String> lines = Files.readAllLines(settings.log(), StandardCharsets.UTF_8);
      int from = Math.max(0, lines.size() - LOG_TAIL_LINES);
      return String.join(System.lineSeparator(), lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "(%s cannot be read: %s)".formatted(settings.log(), e.getMessage());
    }
  }
}
