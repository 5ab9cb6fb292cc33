package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.CommandLineRig.Said;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.EmulatedStream.Mode;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as a person meets it: exit codes, one line of reason, nothing done twice. */
class CommandITCase {

  private static final int RECORDS = 20;

  private static EmbeddedKafka kafka;
  private static KinesisEmulator kinesis;
  private static Instant t;

  @TempDir private Path dir;

  private CommandLineRig rig;

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
    String topic = "orders-" + UUID.randomUUID();
    kafka.createTopic(topic, 2, Map.of("retention.ms", "-1", "max.message.bytes", "2097152"));
    rig =
        new CommandLineRig(
            dir.resolve("cutover"), kinesis.endpoint(), "sound", kafka.bootstrapServers(), topic);
    rig.set("pin.boundary", t.toString());
    rig.set("backfill.checkpoint-interval", "300 ms");
    rig.set("source.shard.get-records.max-calls-per-second", "1000");
  }

  @Test
  void secondRunAfterTheCopyIsCompleteHasNothingToDo() throws IOException {
    rig.pin();

    Said first = rig.run("backfill");
    int calls = kinesis.calls().size();
    Said second = rig.run("backfill");

    assertThat(first.code()).as(first.out()).isZero();
    assertThat(first.out()).contains("Complete: " + RECORDS + " user records");
    assertThat(second.code()).isZero();
    assertThat(second.out()).contains("Nothing to do");
    assertThat(kinesis.calls().subList(calls, kinesis.calls().size()))
        .extracting(call -> call.action())
        .isEmpty();
    Files.delete(rig.pinFile());
    rig.set("pin.boundary", t.minusMillis(1).toString());
    rig.pin();
    rig.assertRefused(
        "backfill", Reason.FOLDER_OF_ANOTHER, "is the report of another copy", t.toString());
  }

  @Test
  void backfillWithoutAPinIsRefusedAndNamesTheCommandThatComesFirst() {
    rig.assertRefused("backfill", Reason.PIN_MISSING, "pin.json", "the command pin");
  }

  @Test
  void backfillOfAnotherBoundaryThanThePinnedOneIsRefused() {
    rig.pin();
    rig.set("pin.boundary", t.minusMillis(1).toString());
    rig.assertRefused("backfill", Reason.PIN_DIFFERS, "pin.boundary is " + t.minusMillis(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pin", "backfill"})
  void badUsageExitsWith64AndNamesWhatIsWrong(String command) throws IOException {
    assertUsage(CommandLineRig.type(), command);
    assertUsage(CommandLineRig.type("forefill"), "forefill");
    assertUsage(CommandLineRig.type(command, "--confg", "x"), "--confg");
    assertUsage(CommandLineRig.type(command, "-D", "no-value"), "no-value");
    String none = dir.resolve("none.yaml").toString();
    assertUsage(CommandLineRig.type(command, "--config", none), "none.yaml");
    Path list = Files.writeString(dir.resolve("list.yaml"), "- 1\n");
    assertUsage(CommandLineRig.type(command, "--config", list.toString()), "list.yaml");
    assertUsage(rig.run(command, "-D", "kafka.topik=orders"), "kafka.topik");
    assertUsage(
        rig.run(command, "-D", "backfill.checkpoint-interval=soon"),
        "option backfill.checkpoint-interval does not take 'soon'");
    assertUsage(rig.run(command, "-D", "kafka.key=some"), "option kafka.key does not take 'some'");
    assertUsage(
        rig.run(command, "-D", "pin.boundary=1700000000"),
        "option pin.boundary does not take '1700000000': give an ISO-8601 instant");
  }

  @Test
  void optionThatACommandNeedsIsNamed() {
    assertNamesWhatIsMissing("pin");
    rig.pin();
    assertNamesWhatIsMissing("backfill");
  }

  private void assertNamesWhatIsMissing(String command) {
    for (String required :
        List.of("cutover.dir", "kinesis.stream", "kafka.topic", "kafka.bootstrap.servers")) {
      String value = rig.unset(required);
      assertUsage(rig.run(command), "option " + required + " is not set");
      rig.set(required, value);
    }
  }

  @Test
  void keysThatTheStreamIgnoredAreNotCopiedAsIfTheyMeantAnything() {
    stream("auto").mode(Mode.ON_DEMAND).distributionStrategy(Optional.of("AUTO"));
    rig.set("kinesis.stream", "auto");
    rig.pin();
    rig.assertRefused("backfill", Reason.PREFLIGHT_FAILED, "stream-distribution: AUTO");
    rig.set("kafka.key", "partition-key");
    rig.assertRefused("backfill", Reason.PREFLIGHT_FAILED, "stream-distribution");
  }

  @Test
  void onDemandStreamThatDoesNotTellItsStrategyNeedsTheKeyStated() {
    stream("silent").mode(Mode.ON_DEMAND);
    rig.set("kinesis.stream", "silent");
    rig.pin();
    rig.assertRefused("backfill", Reason.PREFLIGHT_FAILED, "stream-distribution");
    rig.set("kafka.key", "partition-key");
    Said stated = rig.run("backfill");
    assertThat(stated.code()).as(stated.out()).isZero();
    assertThat(stated.out()).contains("Complete: " + RECORDS + " user records");
  }

  @Test
  void streamAndTopicThatAreGoneAreRefusedByName() {
    stream("passing");
    rig.set("kinesis.stream", "passing");
    rig.pin();
    rig.deleteTopic();
    kinesis.deleteStream("passing");
    rig.assertRefused(
        "backfill",
        Reason.PREFLIGHT_FAILED,
        "2 of ",
        "stream-active: there is no stream passing",
        "topic-exists: does not exist");
  }

  @Test
  void serversThatDoNotAnswerAreNamedWithinHalfAMinute() throws IOException {
    rig.pin();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String silentAddress = "127.0.0.1:" + silent.getLocalPort();
      String closedAddress = "127.0.0.1:1";
      Map<String, String> cases =
          Map.of(
              "silent Kafka", "kafka.bootstrap.servers=" + silentAddress,
              "no Kafka", "kafka.bootstrap.servers=" + closedAddress,
              "silent Kinesis", "kinesis.endpoint=http://" + silentAddress,
              "no Kinesis", "kinesis.endpoint=http://" + closedAddress);
      ExecutorService threads = Executors.newFixedThreadPool(cases.size());
      long began = System.nanoTime();
      Map<String, CompletableFuture<String>> reasons = new TreeMap<>();
      cases.forEach(
          (name, option) ->
              reasons.put(
                  name,
                  CompletableFuture.supplyAsync(
                      () -> refusal(rig.line("backfill", "-D", option)), threads)));

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
    assertThat(rig.run("backfill").out()).doesNotContain("\tat ");
    assertThat(rig.run("backfill", "--stacktrace").out()).contains("\tat io.cutover.");
  }

  private static String refusal(List<String> args) {
    StringBuilder reason = new StringBuilder();
    assertThat(new CutoverJob().run(reason, args.toArray(String[]::new))).isEqualTo(3);
    return reason.toString();
  }

  private static void assertUsage(Said said, String named) {
    assertThat(said.code()).as(said.out()).isEqualTo(64);
    assertThat(said.out()).contains(named);
  }
}
