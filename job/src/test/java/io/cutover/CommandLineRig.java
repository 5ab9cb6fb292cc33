package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;

/**
 * A person at a terminal with one cutover's options, which each command gets by -D. The commands
 * run in this JVM: those of the job's jar, or of whatever {@link JobMain} is given.
 */
public final class CommandLineRig {

  private final Path dir;
  private final Map<String, String> options = new TreeMap<>();

  /**
   * @param reason what the command gave as its one line
   * @param out what it printed, both streams
   */
  public record Said(int code, String reason, String out) {}

  public CommandLineRig(Path dir, URI kinesis, String stream, String kafkaServers, String topic) {
    this.dir = dir;
    set("cutover.dir", dir.toUri().toString());
    set("kinesis.stream", stream);
    set("kinesis.endpoint", kinesis.toString());
    set("aws.region", "us-east-1");
    set("aws.credentials.provider", "BASIC");
    set("aws.credentials.basic.accesskeyid", "local");
    set("aws.credentials.basic.secretkey", "local");
    set("kafka.topic", topic);
    set("kafka.bootstrap.servers", kafkaServers);
  }

  public void set(String key, String value) {
    options.put(key, value);
  }

  public String unset(String key) {
    return options.remove(key);
  }

  public Path pinFile() {
    return dir.resolve("pin.json");
  }

  /** The command with all options, these behind them. */
  public List<String> line(String command, String... more) {
    List<String> args = new ArrayList<>(List.of(command));
    options.forEach((key, value) -> args.addAll(List.of("-D", key + "=" + value)));
    args.addAll(Arrays.asList(more));
    return args;
  }

  /** A command of the job's jar. */
  public Said run(String command, String... more) {
    return run(new CutoverJob(), command, more);
  }

  /** A command of another jar. */
  public Said run(JobMain jar, String command, String... more) {
    return type(jar, line(command, more).toArray(String[]::new));
  }

  /** The very words. */
  static Said type(String... args) {
    return type(new CutoverJob(), args);
  }

  /** The very words, to another jar. One at a time: it takes the JVM's streams. */
  public static Said type(JobMain jar, String... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    StringBuilder reason = new StringBuilder();
    int code;
    try (PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(both);
      System.setErr(both);
      code = jar.run(reason, args);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return new Said(code, reason.toString(), printed.toString(StandardCharsets.UTF_8));
  }

  /** Pins, which must go well. */
  public Said pin() {
    Said said = run("pin");
    assertThat(said.code()).as(said.out()).isZero();
    return said;
  }

  public void assertRefused(String command, Reason reason, String... parts) {
    Said said = run(command);
    assertThat(said.code()).as(said.out()).isEqualTo(3);
    assertThat(said.reason()).endsWith("[" + reason + "]").contains(parts);
    assertThat(said.out()).as("nothing else").isEqualTo(command + ": " + said.reason() + "\n");
  }

  public void deleteTopic() {
    String topic = options.get("kafka.topic");
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(topic)).all().get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("topic " + topic + " was not deleted", e);
    }
  }

  public void addPartitions(int total) {
    String topic = options.get("kafka.topic");
    try (Admin admin = admin()) {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total))).all().get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("topic " + topic + " has no more partitions", e);
    }
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", options.get("kafka.bootstrap.servers")));
  }
}
