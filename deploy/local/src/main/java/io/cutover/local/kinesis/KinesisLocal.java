package io.cutover.local.kinesis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * npm's kinesis-local as a child process: a Kinesis server that no one here wrote. It ends when it
 * is closed, and also when this JVM dies, because it watches its standard input.
 */
public final class KinesisLocal implements AutoCloseable {

  /** The system property that names the node_modules directory which holds kinesis-local. */
  public static final String NODE_MODULES = "cutover.node-modules";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ATTEMPTS = 3;
  private static final String UNTIL_INPUT_ENDS =
      "process.stdin.on('end', () => process.exit(0)).resume(); require(process.argv[1]);";

  private final Process process;
  private final Path log;
  private final URI endpoint;

  private KinesisLocal(Process process, Path log, URI endpoint) {
    this.process = process;
    this.log = log;
    this.endpoint = endpoint;
  }

  /**
   * Starts it on free ports, from the directory that {@link #NODE_MODULES} names or else from the
   * nearest deploy/local/node_modules at or above the working directory.
   */
  public static KinesisLocal start() {
    return start(nodeModules(), Map.of());
  }

  /**
   * Starts it on free ports and awaits its first answer.
   *
   * @param nodeModules the directory into which npm installed kinesis-local
   * @param environment variables of kinesis-local beside the ports, INITIALIZE_STREAMS for example
   */
  public static KinesisLocal start(Path nodeModules, Map<String, String> environment) {
    for (int attempt = 1; ; attempt++) {
      KinesisLocal started = launch(nodeModules, environment);
      if (started.answersInTime()) {
        return started;
      }
      // A free port can be taken by another process before the child binds it.
      boolean exited = !started.process.isAlive();
      String output = started.output();
      started.close();
      if (!exited || attempt == ATTEMPTS) {
        throw new IllegalStateException(
            "kinesis-local does not answer on " + started.endpoint + "; it wrote:\n" + output);
      }
    }
  }

  /** {@code http://127.0.0.1:port}; CBOR and JSON. */
  public URI endpoint() {
    return endpoint;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Files.deleteIfExists(log);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + log, e);
    }
  }

  private static KinesisLocal launch(Path nodeModules, Map<String, String> environment) {
    Path home = nodeModules.resolve("kinesis-local").toAbsolutePath();
    Path main = home.resolve("main.js");
    if (!Files.exists(main)) {
      throw new IllegalStateException(
          "kinesis-local is not installed: " + main + " is missing; run npm ci in deploy/local");
    }
    int plainPort = freePort();
    Map<String, String> variables = new LinkedHashMap<>(environment);
    variables.put("KINESIS_MOCK_PLAIN_PORT", Integer.toString(plainPort));
    variables.put("KINESIS_MOCK_TLS_PORT", Integer.toString(freePort()));
    variables.put("KINESIS_MOCK_CERT_PATH", home.resolve("server.json").toString());
    variables.putIfAbsent("LOG_LEVEL", "WARN");
    variables.putIfAbsent("SHARD_LIMIT", "100");
    variables.putIfAbsent("AWS_REGION", "us-east-1");
    for (String slow : new String[] {"CREATE_STREAM", "DELETE_STREAM", "SPLIT_SHARD"}) {
      variables.putIfAbsent(slow + "_DURATION", "50ms");
    }
    variables.putIfAbsent("MERGE_SHARDS_DURATION", "50ms");
    try {
      Path log = Files.createTempFile("kinesis-local", ".log");
      ProcessBuilder builder =
          new ProcessBuilder("node", "-e", UNTIL_INPUT_ENDS, main.toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().putAll(variables);
      URI endpoint = URI.create("http://127.0.0.1:" + plainPort);
      return new KinesisLocal(builder.start(), log, endpoint);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot run node, which kinesis-local needs: install Node.js 18 or newer", e);
    }
  }

  private boolean answersInTime() {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (process.isAlive() && Instant.now().isBefore(deadline)) {
      if (answers()) {
        return true;
      }
      try {
        // Returns early when the child exits.
        process.waitFor(50, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        close();
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while kinesis-local started", e);
      }
    }
    return false;
  }

  private boolean answers() {
    try {
      HttpURLConnection connection = (HttpURLConnection) endpoint.toURL().openConnection();
      connection.setConnectTimeout(1000);
      connection.setReadTimeout(1000);
      return connection.getResponseCode() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "(its output cannot be read: " + e + ")";
    }
  }

  private static Path nodeModules() {
    Optional<Path> named = Optional.ofNullable(System.getProperty(NODE_MODULES)).map(Path::of);
    return named
        .or(KinesisLocal::nearest)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no node_modules with kinesis-local at or above "
                        + Path.of("").toAbsolutePath()
                        + "; run npm ci in deploy/local or set -D"
                        + NODE_MODULES));
  }

  private static Optional<Path> nearest() {
    return Stream.iterate(Path.of("").toAbsolutePath(), dir -> dir != null, Path::getParent)
        .flatMap(
            dir -> Stream.of(dir.resolve("node_modules"), dir.resolve("deploy/local/node_modules")))
        .filter(dir -> Files.exists(dir.resolve("kinesis-local/main.js")))
        .findFirst();
  }

  private static int freePort() {
    try (ServerSocket socket =
        new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on 127.0.0.1", e);
    }
  }
}
