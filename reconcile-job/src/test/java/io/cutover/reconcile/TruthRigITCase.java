package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.CutoverDir;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.pin.PinFile;
import io.cutover.reconcile.Truth.Part;
import io.cutover.report.CopyReport;
import io.cutover.report.WitnessFile;
import io.cutover.rig.Producer.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rig does what it is told to a real topic, and the oracle sees just that. */
class TruthRigITCase {

  @TempDir private static Path dir;

  private static EmbeddedKafka kafka;
  private static TruthRig rig;
  private static TruthStream.Shards shards;

  @BeforeAll
  static void copy() {
    kafka = TruthRig.broker();
    rig = new TruthRig(kafka, dir, TruthStream.SHARDS, 3);
    shards = TruthStream.write(rig);
    rig.copy();
  }

  @AfterAll
  static void stop() {
    rig.close();
    kafka.close();
  }

  @AfterEach
  void heal() {
    rig.heal();
    assertThat(rig.truth().cleared()).isTrue();
  }

  private static Truth after(Consumer<TopicDraft> edit) {
    rig.surgeon().operate(edit);
    return rig.truth();
  }

  /** A record in the middle of a shard that has others of its shard beside it in its partition. */
  private static String some(String shard) {
    return rig.copiedOf(shard).get(12).origin();
  }

  private static List<String> lane(String shard) {
    return rig.lane(shard, rig.partitionOf(some(shard)));
  }

  @Test
  void contentsThatArePutBackAreTheSameButForTheirOffsets() {
    List<ConsumerRecord<byte[], byte[]>> before = rig.surgeon().contents();
    rig.surgeon().operate(draft -> {});
    List<ConsumerRecord<byte[], byte[]>> after = rig.surgeon().contents();
    assertThat(after).hasSameSizeAs(before).hasSizeGreaterThan(250);
    for (int i = 0; i < before.size(); i++) {
      assertThat(text(after.get(i))).isEqualTo(text(before.get(i)));
    }
    assertThat(rig.truth().cleared()).isTrue();
    assertThat(rig.truth().windows()).hasSizeGreaterThan(10);
  }

  private static String text(ConsumerRecord<byte[], byte[]> record) {
    return record.partition()
        + " "
        + record.timestamp()
        + " "
        + Arrays.toString(record.key())
        + " "
        + Arrays.toString(record.value())
        + " "
        + record.headers();
  }

  @Test
  void droppedAndDoubledRecordsAreSeen() {
    String dropped = some(shards.child());
    String doubled = some(shards.low());
    Truth truth =
        after(
            draft -> {
              draft.drop(dropped);
              draft.twice(doubled);
            });
    assertThat(truth.missing()).containsExactly(dropped);
    assertThat(truth.doubled()).containsExactly(Map.entry(doubled, 2));
    assertThat(truth.disordered()).isEmpty();
  }

  @Test
  void everyPartOfARecordCanBeAltered() {
    List<Written> records = rig.copiedOf(shards.child());
    Written empty = rig.membersOf(shards.low()).get(0);
    assertThat(empty.key()).contains("");
    Truth truth =
        after(
            draft -> {
              draft.alter(records.get(0).origin(), TopicDraft.bitFlipped());
              draft.alter(
                  records.get(1).origin(),
                  TopicDraft.withTimestamp(records.get(1).arrival().toEpochMilli() + 1));
              draft.alter(empty.origin(), TopicDraft.withKey(Optional.empty()));
            });
    assertThat(truth.altered())
        .containsOnly(
            Map.entry(records.get(0).origin(), Set.of(Part.VALUE)),
            Map.entry(records.get(1).origin(), Set.of(Part.TIMESTAMP)),
            Map.entry(empty.origin(), Set.of(Part.KEY)));
  }

  @Test
  void recordInAnotherPartitionIsSeen() {
    String moved = some(shards.high());
    int elsewhere = (rig.partitionOf(moved) + 1) % rig.partitions();
    Truth truth = after(draft -> draft.move(moved, elsewhere));
    assertThat(truth.misplaced()).hasSize(1).allMatch(place -> place.partition() == elsewhere);
    assertThat(truth.missing()).isEmpty();
  }

  @Test
  void swappedRecordsAreSeen() {
    List<String> lane = lane(shards.child());
    Truth truth = after(draft -> draft.swap(lane.get(0), lane.get(1)));
    assertThat(truth.identical()).isTrue();
    assertThat(truth.disordered()).hasSize(1);
  }

  @Test
  void childInFrontOfItsParentIsSeen() {
    int partition = rig.partitionOf(some(shards.low()));
    assertThat(rig.lane(shards.split(), partition)).isNotEmpty();
    Truth truth = after(draft -> draft.toFront(rig.lane(shards.low(), partition).get(0)));
    assertThat(truth.identical()).isTrue();
    assertThat(truth.disordered()).hasSize(rig.lane(shards.split(), partition).size());
  }

  @Test
  void wholeShardCanGo() {
    Truth truth = after(draft -> draft.dropShard(shards.split()));
    assertThat(truth.missing())
        .hasSameSizeAs(rig.copiedOf(shards.split()))
        .hasSizeGreaterThan(40)
        .allMatch(origin -> origin.startsWith(shards.split()));
  }

  @Test
  void headersCanBeLostAndForged() {
    String lost = some(shards.child());
    String forged = some(shards.low());
    Truth truth =
        after(
            draft -> {
              draft.alter(lost, TopicDraft.withoutHeader("kinesis.sequence"));
              draft.alter(forged, TopicDraft.withHeader("cutover.pin", "fedcba9876543210"));
            });
    assertThat(truth.missing()).containsExactlyInAnyOrder(lost, forged);
    assertThat(truth.withoutOrigin()).hasSize(1);
    assertThat(truth.ofAnotherPin()).hasSize(1);
  }

  @Test
  void foreignRecordsAreSeenInsideAndCountedOutside() {
    long t = rig.t().toEpochMilli();
    Truth truth =
        after(
            draft -> {
              draft.append(draft.foreign(0, t - 1, "before T"));
              draft.append(draft.foreign(1, t, "from T on"));
            });
    assertThat(truth.withoutOrigin()).hasSize(1).allMatch(place -> place.partition() == 0);
    assertThat(truth.foreignOutside()).isEqualTo(1);
  }

  @Test
  void abortedRecordsAreNotThereAndOpenOnesHideWhatStandsBehindThem() {
    TopicDraft draft = new TopicDraft(rig.topic(), rig.surgeon().contents());
    rig.surgeon().leaveAborted(List.of(draft.record(some(shards.child()))));
    assertThat(rig.truth().cleared()).isTrue();

    int before = rig.surgeon().contents().size();
    try (var open =
        rig.surgeon()
            .leaveOpen("somebody-" + rig.topic(), List.of(draft.foreign(0, 0, "under way")))) {
      assertThat(open.transactionalId()).startsWith("somebody-");
      assertThat(rig.surgeon().contents()).hasSize(before);
      open.commit();
    }
    assertThat(rig.truth().withoutOrigin()).hasSize(1);
  }

  @Test
  void headOfAPartitionCanBeLostAndTheTopicBeStamped() {
    ConsumerRecord<byte[], byte[]> first =
        rig.surgeon().contents().stream().filter(r -> r.partition() == 0).findFirst().orElseThrow();
    rig.surgeon().loseHead(0, first.offset() + 1);
    assertThat(rig.truth().missing()).hasSize(1);

    rig.surgeon().configure("message.timestamp.type", "LogAppendTime");
    try {
      rig.heal();
      Truth truth = rig.truth();
      assertThat(truth.altered()).hasSizeGreaterThan(250);
      assertThat(truth.altered().values()).containsOnly(Set.of(Part.TIMESTAMP));
      assertThat(truth.copiedOutside()).isEqualTo(truth.altered().size());
    } finally {
      rig.surgeon().configure("message.timestamp.type", "CreateTime");
    }
  }

  @Test
  void retentionTakesWhatItIsAllowedTo() {
    rig.surgeon().expire(Duration.ofHours(40));
    try {
      Truth truth = rig.truth();
      assertThat(truth.missing()).isNotEmpty();
      assertThat(truth.windows().firstKey()).isBefore(rig.t().minus(Duration.ofHours(40)));
      assertThat(rig.surgeon().contents()).isNotEmpty();
    } finally {
      rig.surgeon().keepAll();
    }
  }

  @Test
  void valueCanBeAnything() {
    String origin = some(shards.high());
    Truth truth = after(draft -> draft.alter(origin, TopicDraft.withValue("x".getBytes(UTF_8))));
    assertThat(truth.altered()).containsOnly(Map.entry(origin, Set.of(Part.VALUE)));
  }

  /** What is left is whole: the reader of the files takes it. */
  @Test
  void copyThatNeverSawAShardCanBeMade() throws IOException {
    byte[] report = Files.readAllBytes(rig.file("backfill-report.json"));
    byte[] witness = Files.readAllBytes(rig.file("witness.jsonl"));
    CutoverDir folder = new CutoverDir(dir.toUri().toString());
    try {
      rig.files().forget(shards.low());
      CopyReport left = CopyReport.in(folder).orElseThrow();
      assertThat(left.shards())
          .hasSize(rig.stream().shards().size() - 1)
          .noneMatch(shard -> shard.id().equals(shards.low()));
      assertThat(WitnessFile.read(folder, new PinFile(folder).read(), left.witnessSha256()))
          .isInstanceOf(WitnessFile.Whole.class);

      rig.files().corruptWitness();
      assertThat(WitnessFile.read(folder, new PinFile(folder).read(), left.witnessSha256()))
          .isInstanceOf(WitnessFile.Unusable.class);
    } finally {
      Files.write(rig.file("backfill-report.json"), report);
      Files.write(rig.file("witness.jsonl"), witness);
    }
  }
}
