package io.cutover.local.stack;

import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.KinesisEmulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A Kafka broker and a Kinesis emulator on this machine, until the process is stopped.
 *
 * <p>Standard output has one {@code key=value} line for each thing that a job must know; {@code
 * --out} writes the same as a properties file, which is there only while both are up. Exit code 64
 * for bad arguments, 1 when one of the two does not start.
 */
@Command(
    name = "stack.sh",
    description = "Runs a Kafka broker and a Kinesis emulator on this machine until it is stopped.",
    mixinStandardHelpOptions = true,
    versionProvider = LocalStack.Version.class,
    sortOptions = false,
    exitCodeOnInvalidInput = LocalStack.USAGE)
public final class LocalStack implements Callable<Integer> {
  static final int USAGE = 64;
  private static final int HIGHEST_PORT = 65_535;
  private static final int PARTITIONS = 4;

  /** Kinesis keeps what is seeded for a week: the topic must not drop it as too old. */
  private static final Map<String, String> TOPIC =
      Map.of(
          "retention.ms", "-1",
          "message.timestamp.type", "CreateTime",
          "max.message.bytes", "2097152");

  @Spec private CommandSpec command;

  @Option(
      names = "--kinesis-port",
      paramLabel = "PORT",
      description = "Port of the Kinesis emulator (default: a free one).")
  private int kinesisPort;

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      description = "Port of the Kafka broker (default: a free one).")
  private int kafkaPort;

  @Option(
      names = "--seed",
      paramLabel = "RECORDS",
      description =
          "Fill a stream 'events' with RECORDS user records over the week before a boundary T,"
              + " through three reshards, and create a topic 'events' for its copy.")
  private Long seed;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write what a job must know to FILE once both are up; removed at the end.")
  private Path out;

  private LocalStack() {}

  /** Runs until a signal ends the process; returns only when it could not start. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new LocalStack());
    line.setExecutionExceptionHandler(
        (failure, commandLine, parsed) -> {
          commandLine.getErr().println("stack.sh: " + failure.getMessage());
          return 1;
        });
    return line;
  }

  @Override
  public Integer call() throws InterruptedException {
    check("--kinesis-port", kinesisPort);
    check("--kafka-port", kafkaPort);
    if (seed != null && seed < 1) {
      throw new ParameterException(
          command.commandLine(), "--seed takes the number of records, at least 1, not " + seed);
    }
    // The broker has a hook of its own that ends it with this process.
    KafkaBroker broker = KafkaBroker.builder().port(kafkaPort).longLived().start();
    KinesisEmulator emulator = KinesisEmulator.builder().port(kinesisPort).start();
    atExit(emulator::close);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("kinesis.endpoint", emulator.endpoint().toString());
    facts.put("kafka.bootstrap.servers", broker.bootstrapServers());
    if (seed != null) {
      seed(emulator, broker, facts);
    }
    publish(facts);
    System.err.println("Up. Ctrl-C, or a SIGTERM to this process, ends both.");
    new CountDownLatch(1).await();
    return 0;
  }

  private void check(String option, int port) {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new ParameterException(
          command.commandLine(),
          "%s takes a port from 1 to %d, or 0 for a free one, not %d"
              .formatted(option, HIGHEST_PORT, port));
    }
  }

  private void seed(KinesisEmulator emulator, KafkaBroker broker, Map<String, String> facts) {
    SeedPlan plan = SeedPlan.of(seed, Clock.systemUTC().instant());
    SeedSummary summary = Seeder.seed(emulator, plan);
    broker.createTopic(plan.stream(), PARTITIONS, TOPIC);
    facts.put("kinesis.stream", summary.stream());
    facts.put("kafka.topic", plan.stream());
    facts.put("pin.boundary", summary.boundary().toString());
    facts.put("seed.records.before", Long.toString(summary.before()));
    facts.put("seed.records.after", Long.toString(summary.after()));
    System.err.println("Seeded " + summary.line());
  }

  private void publish(Map<String, String> facts) {
    String lines =
        facts.entrySet().stream()
            .map(fact -> fact.getKey() + "=" + fact.getValue() + "\n")
            .collect(Collectors.joining());
    if (out != null) {
      Path file = out.toAbsolutePath();
      atExit(() -> remove(file));
      writeWhole(file, lines);
    }
    System.out.print(lines);
    System.out.flush();
  }

  /** Whoever waits for the file finds all of it or none. */
  private static void writeWhole(Path file, String lines) {
    try {
      Path directory = Files.createDirectories(file.getParent());
      Path part = Files.createTempFile(directory, file.getFileName().toString(), ".part");
      Files.writeString(part, lines);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + file + ": " + e.getMessage(), e);
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      System.err.println("stack.sh: could not remove " + file + ": " + e.getMessage());
    }
  }

  private static void atExit(Runnable action) {
    Runtime.getRuntime().addShutdownHook(new Thread(action, "stack-exit"));
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = LocalStack.class.getPackage().getImplementationVersion();
      return new String[] {
        "Kinesis Cutover local stack " + (version == null ? "(unpackaged)" : version)
      };
    }
  }
}
