package io.cutover.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.Lineage;
import io.cutover.lineage.LineageTracker.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.junit.jupiter.api.Test;

/**
 * State that version 2 wrote must be read for ever. The files are never regenerated: a change of
 * the bytes is a new version.
 */
class GoldenBytesTest {

  private static final LineageState LINEAGE = lineage();

  private static LineageState lineage() {
    Map<String, Status> statuses = new LinkedHashMap<>();
    statuses.put("a", new Status.Covered(EndReason.CLOSED));
    statuses.put("b", new Status.Ended(EndReason.TIP, 7));
    statuses.put("c", new Status.Reading());
    statuses.put("d", new Status.Waiting());
    return new LineageState(
        "0123456789abcdef (into 4 partitions, key none)",
        Optional.of("found"),
        Lineage.of(
            List.of(
                Given.shard("a"),
                Given.shard("b"),
                Given.shard("c", "a", "b"),
                Given.shard("d", "c"))),
        statuses);
  }

  @Test
  void shardEnded() throws IOException {
    assertGolden("shard-ended", new ShardSplitSerializer(), ShardSplit.ended(Given.LEDGER));
  }

  @Test
  void shardToRead() throws IOException {
    assertGolden("shard-to-read", new ShardSplitSerializer(), ShardSplit.toRead(Given.SHARD));
  }

  @Test
  void shardToReadFromBirth() throws IOException {
    assertGolden(
        "shard-to-read-from-birth",
        new ShardSplitSerializer(),
        ShardSplit.toReadFromBirth(Given.SHARD));
  }

  @Test
  void shardToSkip() throws IOException {
    assertGolden("shard-to-skip", new ShardSplitSerializer(), ShardSplit.toSkip(Given.SHARD));
  }

  @Test
  void lineageInEveryStage() throws IOException {
    assertGolden("lineage", new LineageStateSerializer(), LINEAGE);
  }

  @Test
  void outputShardEnded() throws IOException {
    assertGolden(
        "output-shard-ended",
        new LineageOutputSerializer(),
        new LineageOutput.ShardEnded(Given.LEDGER));
  }

  @Test
  void outputSubtaskDone() throws IOException {
    assertGolden(
        "output-subtask-done",
        new LineageOutputSerializer(),
        new LineageOutput.SubtaskDone(2, 5, "found"));
  }

  @Test
  void outputCopied() throws IOException {
    UserRecord record =
        new UserRecord(
            new Origin("shardId-000000000003", "4959", OptionalInt.of(0)),
            Optional.of("clé"),
            Optional.of("17"),
            1_700_000_000_123L,
            new byte[] {0, 1, -1});
    byte[] golden = golden("output-copied");
    LineageOutputSerializer serializer = new LineageOutputSerializer();
    assertThat(serializer.serialize(new LineageOutput.Copied(record))).isEqualTo(golden);
    // Arrays have no equality, so the record is compared through its bytes.
    assertThat(serializer.serialize(serializer.deserialize(2, golden))).isEqualTo(golden);
    assertThat(((LineageOutput.Copied) serializer.deserialize(2, golden)).record().partitionKey())
        .contains("clé");
  }

  private static <T> void assertGolden(
      String name, SimpleVersionedSerializer<T> serializer, T value) throws IOException {
    byte[] golden = golden(name);
    assertThat(serializer.getVersion()).isEqualTo(2);
    assertThat(serializer.serialize(value))
        .as("hex: %s", HexFormat.of().formatHex(serializer.serialize(value)))
        .isEqualTo(golden);
    assertThat(serializer.deserialize(2, golden)).isEqualTo(value);
  }

  private static byte[] golden(String name) throws IOException {
    String file = "golden-v2/" + name + ".hex";
    try (InputStream in = GoldenBytesTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return HexFormat.of().parseHex(new String(in.readAllBytes(), UTF_8).replaceAll("\\s", ""));
    }
  }

  @Test
  void unknownVersionIsRefused() throws IOException {
    assertUnknownVersion(new ShardSplitSerializer(), golden("shard-ended"));
    assertUnknownVersion(new LineageStateSerializer(), golden("lineage"));
    assertUnknownVersion(new LineageOutputSerializer(), golden("output-shard-ended"));
  }

  private static void assertUnknownVersion(SimpleVersionedSerializer<?> serializer, byte[] golden) {
    for (int version : new int[] {0, 1, 3}) {
      assertThatThrownBy(() -> serializer.deserialize(version, golden))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("version " + version)
          .hasMessageContaining("this build knows 2");
    }
  }

  @Test
  void trailingBytesAreRefused() throws IOException {
    assertWhole(new ShardSplitSerializer(), golden("shard-ended"));
    assertWhole(new LineageStateSerializer(), golden("lineage"));
    assertWhole(new LineageOutputSerializer(), golden("output-copied"));
    assertWhole(new LineageOutputSerializer(), golden("output-shard-ended"));
  }

  private static void assertWhole(SimpleVersionedSerializer<?> serializer, byte[] golden) {
    byte[] longer = Arrays.copyOf(golden, golden.length + 1);
    assertThatThrownBy(() -> serializer.deserialize(2, longer))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1 bytes too many");
    byte[] shorter = Arrays.copyOf(golden, golden.length - 1);
    assertThatThrownBy(() -> serializer.deserialize(2, shorter)).isInstanceOf(IOException.class);
  }

  @Test
  void unknownNamesAreRefused() throws IOException {
    assertThatThrownBy(
            () ->
                new ShardSplitSerializer()
                    .deserialize(2, replaced(golden("shard-ended"), "ENDED", "OTHER")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("OTHER");
    assertThatThrownBy(
            () ->
                new ShardSplitSerializer()
                    .deserialize(2, replaced(golden("shard-ended"), "BOUNDARY", "FRONTIER")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("FRONTIER");
    assertThatThrownBy(
            () ->
                new LineageStateSerializer()
                    .deserialize(2, replaced(golden("lineage"), "CLOSED", "OPENED")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("OPENED");
  }

  private static byte[] replaced(byte[] bytes, String name, String other) {
    String text = new String(bytes, ISO_8859_1);
    assertThat(text).contains(name);
    return text.replaceFirst(name, other).getBytes(ISO_8859_1);
  }

  @Test
  void unknownKindOfOutputIsRefused() throws IOException {
    byte[] other = golden("output-subtask-done").clone();
    other[0] = 9;
    assertThatThrownBy(() -> new LineageOutputSerializer().deserialize(2, other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("9");
  }
}
