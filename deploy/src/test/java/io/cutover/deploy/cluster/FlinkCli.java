package io.cutover.deploy.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Flink's own command line, as {@code bin/flink} starts it: a JVM for each call. */
public final class FlinkCli {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String HEAP = "384m";
  private static final Pattern JOB = Pattern.compile("submitted with JobID ([0-9a-f]{32})");
  private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");

  private static final AtomicInteger CALLS = new AtomicInteger();

  private final FlinkHome home;

  /**
   * What a call came to.
   *
   * @param output what it printed, both streams
   */
  public record Result(int exitCode, String output) {

    /** The id of the job that was submitted. */
    public String job() {
      return found(JOB, output);
    }

    /** Where the savepoint lies that the call made. */
    public String savepoint() {
      return found(SAVEPOINT, output);
    }
  }

  private static String found(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      throw new IllegalStateException("%s is not in:%n%s".formatted(pattern, output));
    }
    return matcher.group(1);
  }

  /** A call that is under way. */
  public static final class Call {
    private final ChildJvm jvm;

    private Call(ChildJvm jvm) {
      this.jvm = jvm;
    }

    /** The id of the job that it has submitted. */
    public String job() {
      return found(JOB, jvm.output());
    }

    /** Ends it as a lost terminal would. */
    public void kill() {
      jvm.close();
    }

    public Result await() {
      try (jvm) {
        return new Result(jvm.awaitExit(PATIENCE), jvm.output());
      }
    }
  }

  FlinkCli(FlinkHome home) {
    this.home = home;
  }

  /**
   * {@code flink run}.
   *
   * @param line what follows the jar
   * @param options what stands in front of it
   */
  public Call run(Path jar, List<String> line, String... options) {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(options));
    arguments.add(jar.toString());
    arguments.addAll(line);
    return begin(arguments);
  }

  private Call begin(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add("org.apache.flink.client.cli.CliFrontend");
    command.addAll(arguments);
    String name = "cli-%d-%s".formatted(CALLS.incrementAndGet(), arguments.get(0));
    return new Call(ChildJvm.start(home, name, HEAP, command));
  }

  /** What follows {@code flink} on the command line: list, stop, cancel and so on; to its end. */
  public Result call(String... arguments) {
    return begin(Arrays.asList(arguments)).await();
  }
}
