package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.EmulatedStream.Mode;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a person meets it: exit codes, one line of reason, nothing done twice. */
class CommandITCase {

  private static final String TOPIC = "orders";
  private static final int RECORDS = 20;

  private static EmbeddedKafka kafka;
  private static KinesisEmulator kinesis;
  private static Instant t;

  @TempDir private Path dir;

  private final Map<String, String> options = new TreeMap<>();

  /**
   * @param reason what the command gave as its one line
   * @param out what it printed, both streams
   */
  record Outcome(int code, String reason, String out) {}

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
    kinesis = KinesisEmulator.start();
    t = kinesis.clock().instant().minusSeconds(120).truncatedTo(ChronoUnit.MILLIS);
    stream("sound");
  }

  @AfterAll
  static void stop() {
    kinesis.close();
    kafka.close();
  }

  private static EmulatedStream stream(String name) {
    EmulatedStream stream =
        kinesis.createStream(name, 1, kinesis.clock().instant().minus(Duration.ofHours(2)));
    String shard = stream.shards().get(0).id();
    for (int i = 0; i < RECORDS; i++) {
      stream.put(shard, PutSpec.of("key", new byte[] {(byte) i}, t.minusSeconds(60 - i)));
    }
    return stream;
  }

  @BeforeEach
  void soundOptions() {
    options.put("cutover.dir", dir.resolve("cutover").toUri().toString());
    options.put("kinesis.stream", "sound");
    options.put("kinesis.endpoint", kinesis.endpoint().toString());
    options.put("aws.region", "us-east-1");
    options.put("aws.credentials.provider", "BASIC");
    options.put("aws.credentials.basic.accesskeyid", "local");
    options.put("aws.credentials.basic.secretkey", "local");
    options.put("kafka.topic", TOPIC);
    options.put("kafka.bootstrap.servers", kafka.bootstrapServers());
    options.put("pin.boundary", t.toString());
    options.put("backfill.checkpoint-interval", "300 ms");
    options.put("source.shard.get-records.max-calls-per-second", "1000");
  }

  @Test
  void secondRunAfterTheCopyIsCompleteHasNothingToDo() {
    kafka.createTopic(TOPIC, 2, Map.of("retention.ms", "-1"));

    Outcome first = backfill();
    int calls = kinesis.calls().size();
    Outcome second = backfill();

    assertThat(first.code()).as(first.out()).isZero();
    assertThat(first.out()).contains("Complete: " + RECORDS + " user records");
    assertThat(second.code()).isZero();
    assertThat(second.out()).contains("Nothing to do");
    assertThat(kinesis.calls().subList(calls, kinesis.calls().size()))
        .extracting(call -> call.action())
        .containsExactly("DescribeStreamSummary");
    options.put("pin.boundary", t.minusMillis(1).toString());
    assertRefused("holds the report of another copy");
  }

  @Test
  void badUsageExitsWith64AndNamesWhatIsWrong() throws IOException {
    assertUsage(run(), "backfill");
    assertUsage(run("forefill"), "forefill");
    assertUsage(run("backfill", "--confg", "x"), "--confg");
    assertUsage(run("backfill", "-D", "no-value"), "no-value");
    assertUsage(run("backfill", "--config", dir.resolve("none.yaml").toString()), "none.yaml");
    Path list = Files.writeString(dir.resolve("list.yaml"), "- 1\n");
    assertUsage(run("backfill", "--config", list.toString()), "list.yaml");
    assertUsage(backfillWith("kafka.topik", "orders"), "kafka.topik");
    assertUsage(
        backfillWith("backfill.checkpoint-interval", "soon"),
        "option backfill.checkpoint-interval does not take 'soon'");
    assertUsage(backfillWith("kafka.key", "some"), "option kafka.key does not take 'some'");
    assertUsage(
        backfillWith("pin.boundary", "1700000000"),
        "option pin.boundary does not take '1700000000': give an ISO-8601 instant");
    for (String required :
        List.of(
            "cutover.dir",
            "kinesis.stream",
            "kafka.topic",
            "kafka.bootstrap.servers",
            "pin.boundary")) {
      String value = options.remove(required);
      assertUsage(backfill(), required);
      options.put(required, value);
    }
  }

  @Test
  void keysThatTheStreamIgnoredAreNotCopiedAsIfTheyMeantAnything() {
    stream("auto").mode(Mode.ON_DEMAND).distributionStrategy(Optional.of("AUTO"));
    options.put("kinesis.stream", "auto");
    assertRefused("AUTO", "kafka.key = none");
    options.put("kafka.key", "partition-key");
    assertRefused("AUTO", "kafka.key = none");
  }

  @Test
  void onDemandStreamThatDoesNotTellItsStrategyNeedsTheKeyStated() {
    stream("silent").mode(Mode.ON_DEMAND);
    options.put("kinesis.stream", "silent");
    assertRefused("not told", "kafka.key");
    options.put("kafka.key", "partition-key");
    options.put("kafka.topic", "missing");
    assertRefused("topic missing does not exist");
  }

  @Test
  void boundaryOutsideOfWhatTheStreamHoldsIsRefused() {
    options.put("pin.boundary", t.plus(Duration.ofHours(1)).toString());
    assertRefused("in the future");
    kafka.createTopic("horizon", 1);
    options.put("kafka.topic", "horizon");
    options.put("pin.boundary", t.minus(Duration.ofHours(25)).toString());
    assertRefused("retains nothing from before");
  }

  @Test
  void missingTopicAndMissingStreamAreRefusedByName() {
    options.put("kafka.topic", "missing-topic");
    assertRefused("missing-topic", kafka.bootstrapServers());
    options.put("kinesis.stream", "missing-stream");
    assertRefused("missing-stream", kinesis.endpoint().toString());
  }

  @Test
  void serversThatDoNotAnswerAreNamedWithinHalfAMinute() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String silentAddress = "127.0.0.1:" + silent.getLocalPort();
      String closedAddress = "127.0.0.1:1";
      Map<String, List<String>> cases =
          Map.of(
              "silent Kafka", with("kafka.bootstrap.servers", silentAddress),
              "no Kafka", with("kafka.bootstrap.servers", closedAddress),
              "silent Kinesis", with("kinesis.endpoint", "http://" + silentAddress),
              "no Kinesis", with("kinesis.endpoint", "http://" + closedAddress));
      ExecutorService threads = Executors.newFixedThreadPool(cases.size());
      long began = System.nanoTime();
      Map<String, CompletableFuture<String>> reasons = new TreeMap<>();
      cases.forEach(
          (name, args) ->
              reasons.put(name, CompletableFuture.supplyAsync(() -> refusal(args), threads)));

      reasons.forEach(
          (name, reason) ->
              assertThat(reason.join())
                  .as(name)
                  .contains(name.startsWith("silent") ? silentAddress : closedAddress)
                  .doesNotContain("UNKNOWN"));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
      threads.shutdown();
    }
  }

  @Test
  void stackTraceIsShownOnlyWhenItIsAskedFor() {
    options.put("kafka.topic", "missing-topic");
    assertThat(backfill().out().lines()).hasSize(1);
    List<String> args = new ArrayList<>(args());
    args.add("--stacktrace");
    assertThat(run(args.toArray(String[]::new)).out()).contains("\tat io.cutover.");
  }

  private static String refusal(List<String> args) {
    StringBuilder reason = new StringBuilder();
    assertThat(new CutoverJob().run(reason, args.toArray(String[]::new))).isEqualTo(3);
    return reason.toString();
  }

  private void assertRefused(String... parts) {
    Outcome outcome = backfill();
    assertThat(outcome.code()).as(outcome.out()).isEqualTo(3);
    assertThat(outcome.reason()).contains(parts);
  }

  private static void assertUsage(Outcome outcome, String named) {
    assertThat(outcome.code()).as(outcome.out()).isEqualTo(64);
    assertThat(outcome.out()).contains(named);
  }

  private Outcome backfillWith(String key, String value) {
    return run(with(key, value).toArray(String[]::new));
  }

  private List<String> with(String key, String value) {
    List<String> args = new ArrayList<>(args());
    args.addAll(List.of("-D", key + "=" + value));
    return args;
  }

  private Outcome backfill() {
    return run(args().toArray(String[]::new));
  }

  private List<String> args() {
    List<String> args = new ArrayList<>(List.of("backfill"));
    options.forEach((key, value) -> args.addAll(List.of("-D", key + "=" + value)));
    return args;
  }

  private static Outcome run(String... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    StringBuilder reason = new StringBuilder();
    int code;
    try (PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(both);
      System.setErr(both);
      code = new CutoverJob().run(reason, args);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return new Outcome(code, reason.toString(), printed.toString(StandardCharsets.UTF_8));
  }
}
