package io.cutover;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cutover.CommandLineRig.Said;
import io.cutover.lineage.HashRange;
import io.cutover.lineage.Shard;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.EmulatedStream.Mode;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import io.cutover.pin.Pin;
import io.cutover.pin.PinFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pin freezes, and that it does so once. The server's clock stands still. */
class PinITCase {

  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  private static EmbeddedKafka kafka;

  @TempDir private Path dir;

  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final String topic = "orders-" + UUID.randomUUID();
  private EmulatedStream stream;
  private CommandLineRig rig;

  @BeforeAll
  static void startKafka() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @BeforeEach
  void soundStreamAndTopic() {
    kinesis.clock().freeze(NOW);
    stream = kinesis.createStream("orders", 1, NOW.minus(ofHours(40))).retention(ofHours(48));
    kafka.createTopic(topic, 3);
    rig = new CommandLineRig(dir, kinesis.endpoint(), "orders", kafka.bootstrapServers(), topic);
  }

  @AfterEach
  void stopKinesis() {
    kinesis.close();
  }

  private void put(EmulatedShard shard, Duration ago) {
    stream.put(shard.id(), PutSpec.of("key", new byte[] {1}, NOW.minus(ago)));
  }

  private EmulatedShard root() {
    return stream.shards().get(0);
  }

  private Pin pinned() {
    return new PinFile(new CutoverDir(dir.toUri().toString())).read();
  }

  // ---- what is frozen

  @Test
  void streamTopicAndTheServersNowAreFrozen() throws IOException {
    stream.mode(Mode.ON_DEMAND).distributionStrategy(Optional.of("USER_PARTITION_KEY"));
    stream.maxRecordSizeKiB(2048);
    put(root(), ofHours(30));
    put(root(), ofHours(20));

    Said said = rig.pin();

    Pin pin = pinned();
    assertThat(pin.pinnedAt()).isEqualTo(NOW);
    assertThat(pin.boundary()).isEqualTo(NOW);
    assertThat(pin.start()).isEqualTo(NOW.minus(ofHours(48)));
    assertThat(pin.windowStart()).isEqualTo(pin.start());
    assertThat(pin.tallyWindow()).isEqualTo(ofHours(1));
    assertThat(pin.stream())
        .isEqualTo(
            new Pin.PinnedStream(
                "orders",
                stream.arn(),
                NOW.minus(ofHours(40)),
                Optional.of("ON_DEMAND"),
                Optional.of("USER_PARTITION_KEY"),
                ofHours(48),
                2048));
    assertThat(pin.topic().name()).isEqualTo(topic);
    assertThat(pin.topic().id()).hasSizeGreaterThan(20);
    assertThat(pin.topic().partitions()).isEqualTo(3);
    assertThat(pin.oldest())
        .containsExactly(new Pin.OldestArrival(root().id(), Optional.of(NOW.minus(ofHours(30)))));
    assertThat(pin.headroom()).contains(ofHours(18));
    JsonNode file = new JsonMapper().readTree(rig.pinFile().toFile());
    assertThat(file.path("id").asText()).isEqualTo(pin.id());
    assertThat(said.out())
        .contains(pin.id(), stream.arn(), topic + ", 3 partitions", NOW.toString())
        .contains("18 h until the oldest record expires");
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(rig.pinFile());
    }
  }

  @Test
  void boundaryIsTheOneThatWasAskedFor() {
    rig.set("pin.boundary", NOW.minusMillis(3_600_001).toString());
    rig.pin();
    assertThat(pinned().boundary()).isEqualTo(NOW.minusMillis(3_600_001));
    assertThat(pinned().pinnedAt()).isEqualTo(NOW);
  }

  @Test
  void windowHoursNarrowWhatIsComparedAndNotWhatIsCopied() {
    rig.set("pin.boundary", NOW.minus(ofHours(2)).toString());
    rig.set("pin.window-hours", "5");
    rig.set("tally.window", "10 min");
    rig.pin();
    assertThat(pinned().windowStart()).isEqualTo(NOW.minus(ofHours(7)));
    assertThat(pinned().start()).isEqualTo(NOW.minus(ofHours(48)));
    assertThat(pinned().tallyWindow()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void windowNeverReachesBehindTheStart() {
    rig.set("pin.window-hours", "1000");
    rig.pin();
    assertThat(pinned().windowStart()).isEqualTo(pinned().start());
  }

  @Test
  void lineageIsTheWholeFamilyTreeAndItsStateAtTheBoundary() {
    stream = kinesis.createStream("tree", 2, NOW.minus(ofHours(40))).retention(ofHours(48));
    rig.set("kinesis.stream", "tree");
    List<EmulatedShard> roots = stream.shards();
    List<EmulatedShard> halves = stream.split(roots.get(0).id(), NOW.minus(ofHours(20)));
    stream.merge(halves.get(1).id(), roots.get(1).id(), NOW.minus(ofHours(10)));
    Instant t = NOW.minus(ofHours(15));
    rig.set("pin.boundary", t.toString());
    // More than a page: the listing is followed to its end.
    stream.listingPage(2);
    put(halves.get(0), ofHours(5));

    rig.pin();

    assertThat(pinned().shards())
        .hasSize(5)
        .containsExactlyInAnyOrderElementsOf(stream.shards().stream().map(this::asListed).toList());
    assertThat(pinned().openAtBoundary())
        .hasSize(3)
        .containsExactlyInAnyOrderElementsOf(
            stream.shards().stream()
                .filter(shard -> !shard.createdAt().isAfter(t))
                .filter(shard -> shard.closedAt().map(at -> at.isAfter(t)).orElse(true))
                .map(EmulatedShard::id)
                .toList());
    assertThat(pinned().lineage().leavesTile()).isTrue();
  }

  private Shard asListed(EmulatedShard shard) {
    return new Shard(
        shard.id(),
        Stream.of(shard.parent(), shard.adjacentParent()).flatMap(Optional::stream).toList(),
        new HashRange(shard.start(), shard.end()),
        shard.closed());
  }

  // ---- once

  @Test
  void pinningAgainWithTheSameInputsShowsThePinAndChangesNothing() throws IOException {
    put(root(), ofHours(10));
    rig.set("pin.window-hours", "5");
    rig.pin();
    byte[] before = Files.readAllBytes(rig.pinFile());
    Object written = Files.getLastModifiedTime(rig.pinFile());
    kinesis.clock().advance(ofHours(3));

    Said again = rig.pin();

    assertThat(again.out())
        .contains(pinned().id(), "was pinned at " + NOW + ", unchanged", topic, NOW.toString());
    rig.unset("pin.window-hours");
    rig.set("kinesis.stream", stream.arn());
    rig.pin();
    assertThat(Files.readAllBytes(rig.pinFile())).isEqualTo(before);
    assertThat(Files.getLastModifiedTime(rig.pinFile())).isEqualTo(written);
  }

  @Test
  void pinningAgainWithOtherInputsIsRefusedWithTheDifferenceNamed() throws IOException {
    rig.pin();
    byte[] before = Files.readAllBytes(rig.pinFile());
    kinesis.createStream("other", 1);
    List<List<String>> others =
        List.of(
            List.of("kinesis.stream", "other"),
            List.of("kafka.topic", "other"),
            List.of("pin.boundary", NOW.minusMillis(1).toString()),
            List.of("pin.window-hours", "3"),
            List.of("tally.window", "30 min"));
    for (List<String> other : others) {
      Said said = rig.run("pin", "-D", String.join("=", other));
      assertThat(said.code()).as(said.out()).isEqualTo(3);
      assertThat(said.reason()).contains(other.get(0), "pinned is").endsWith("[PIN_DIFFERS]");
      assertThat(Files.readAllBytes(rig.pinFile())).isEqualTo(before);
    }
  }

  // ---- headroom

  @Test
  void recordThatIsAboutToExpireIsRefusedWithTheCommandThatHelps() {
    put(root(), ofHours(39));
    rig.assertRefused(
        "pin",
        Reason.HEADROOM_TOO_SMALL,
        "PT9H",
        "PT12H",
        "aws kinesis increase-stream-retention-period --stream-arn "
            + stream.arn()
            + " --retention-period-hours 75",
        "pin.headroom = 0");
    assertThat(rig.pinFile()).doesNotExist();

    stream.retention(ofHours(75));
    kinesis.clock().advance(ofHours(1));
    rig.pin();
    assertThat(pinned().headroom()).contains(ofHours(35));
  }

  @Test
  void headroomOfZeroAcceptsTheRisk() {
    put(root(), ofHours(39));
    rig.set("pin.headroom", "0");
    rig.pin();
    assertThat(pinned().headroom()).contains(ofHours(9));
  }

  @Test
  void emptyRootDoesNotHideWhatItsChildrenAreAboutToLose() {
    List<EmulatedShard> children = stream.split(root().id(), NOW.minus(ofHours(40)));
    List<EmulatedShard> grandchildren =
        stream.split(children.get(1).id(), NOW.minus(Duration.ofMinutes(2370)));
    put(grandchildren.get(0), ofHours(39));
    put(children.get(0), ofHours(2));
    rig.assertRefused("pin", Reason.HEADROOM_TOO_SMALL, "PT9H");
    rig.set("pin.headroom", "9 h");
    rig.pin();
    assertThat(pinned().oldest())
        .contains(new Pin.OldestArrival(root().id(), Optional.empty()))
        .contains(
            new Pin.OldestArrival(grandchildren.get(0).id(), Optional.of(NOW.minus(ofHours(39)))));
  }

  @Test
  void streamWithoutRecordsHasNothingToExpire() {
    assertThat(rig.pin().out()).contains("the stream holds no record");
    assertThat(pinned().headroom()).isEmpty();
  }

  @Test
  void emptyPagesAndThrottlingBeforeTheFirstRecordAreNotTheEnd() {
    put(root(), ofHours(30));
    kinesis.faults().on("GetRecords").times(3).emptyPage();
    kinesis.faults().on("GetRecords").after(1).times(2).throttle();
    kinesis.faults().on("GetShardIterator").times(1).throttle();
    kinesis.faults().on("GetRecords").after(4).times(1).internalFailure();
    rig.pin();
    assertThat(pinned().headroom()).contains(ofHours(18));
  }
}
