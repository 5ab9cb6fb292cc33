package io.cutover.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.CutoverDir;
import io.cutover.pin.Pin;
import io.cutover.pin.Pins;
import io.cutover.tally.Sha256;
import io.cutover.tally.Tallies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WitnessFileTest {

  @TempDir private Path dir;

  private WitnessFile.Written write(Tallies witness) {
    return WitnessFile.write(folder(), Pins.any(), witness);
  }

  private CutoverDir folder() {
    return new CutoverDir(dir.toUri().toString());
  }

  /** As it stands, vouched for as it stands. */
  private WitnessFile.Reading readVouchedFor(Pin pin) throws IOException {
    return WitnessFile.read(folder(), pin, sha256());
  }

  private String sha256() throws IOException {
    return HexFormat.of().formatHex(Sha256.begun().digest(Files.readAllBytes(file())));
  }

  private Path file() {
    return dir.resolve("witness.jsonl");
  }

  /** The file is a contract: a change of its form is a new version. */
  @Test
  void fileHasAHeaderAndALineForEachWindowByShardAndTime() throws IOException {
    write(Ledgers.witnessOfFull());
    assertThat(Files.readAllLines(file()))
        .isEqualTo(
            List.of(
                "{\"format\":\"cutover-witness\",\"version\":1,\"pin\":\"910a8497894f28d2\","
                    + "\"boundary\":\"2026-03-01T12:00:00.500Z\",\"window\":\"PT1H\","
                    + "\"tallies\":2}",
                "{\"shard\":\"shardId-000000000002\",\"start\":\"2026-03-01T10:00:00.500Z\","
                    + "\"end\":\"2026-03-01T11:00:00.500Z\",\"count\":7,\"bytes\":1000,"
                    + "\"digest\":\"0000000000000001ffffffffffffffff\","
                    + "\"lowest\":\"4959033827\",\"highest\":\"4959033828\"}",
                "{\"shard\":\"shardId-000000000002\",\"start\":\"2026-03-01T11:00:00.500Z\","
                    + "\"end\":\"2026-03-01T12:00:00.500Z\",\"count\":3,\"bytes\":234,"
                    + "\"digest\":\"00000000000000000000000000000002\","
                    + "\"lowest\":\"4959033828\",\"highest\":\"4959033829\"}"));
  }

  @Test
  void checksumIsThatOfTheWholeFile() throws IOException {
    WitnessFile.Written written = write(Ledgers.witnessOfFull());
    assertThat(written).isEqualTo(new WitnessFile.Written(sha256(), 2));
  }

  @Test
  void copyOfNothingHasAHeaderOnly() throws IOException {
    assertThat(write(new Tallies()).tallies()).isZero();
    assertThat(Files.readString(file(), UTF_8).lines()).hasSize(1);
  }

  @Test
  void whatWasWrittenIsRead() {
    WitnessFile.Written written = write(Ledgers.witnessOfFull());
    assertThat(WitnessFile.read(folder(), Pins.any(), written.sha256()))
        .isEqualTo(new WitnessFile.Whole(Ledgers.witnessOfFull()));
  }

  @Test
  void copyOfNothingIsReadAsNothing() {
    WitnessFile.Written written = write(new Tallies());
    assertThat(WitnessFile.read(folder(), Pins.any(), written.sha256()))
        .isEqualTo(new WitnessFile.Whole(new Tallies()));
  }

  @Test
  void absentFileIsUnusable() {
    assertUnusable(WitnessFile.read(folder(), Pins.any(), "00ff"), "is not there");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 40, 200, 500})
  void fileWithABitFlippedIsUnusable(int at) throws IOException {
    WitnessFile.Written written = write(Ledgers.witnessOfFull());
    byte[] bytes = Files.readAllBytes(file());
    bytes[at] ^= 1;
    Files.write(file(), bytes);
    assertUnusable(
        WitnessFile.read(folder(), Pins.any(), written.sha256()), "SHA-256", written.sha256());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 400, 700})
  void fileThatWasCutIsUnusable(int left) throws IOException {
    WitnessFile.Written written = write(Ledgers.witnessOfFull());
    Files.write(file(), Arrays.copyOf(Files.readAllBytes(file()), left));
    assertUnusable(WitnessFile.read(folder(), Pins.any(), written.sha256()), "SHA-256");
  }

  /** Even where the report vouches for it. */
  @Test
  void lineThatIsMissingIsMissed() throws IOException {
    write(Ledgers.witnessOfFull());
    List<String> lines = Files.readAllLines(file());
    Files.write(file(), List.of(lines.get(0), lines.get(2)));
    assertUnusable(readVouchedFor(Pins.any()), "2 tallies", "holds 1");
  }

  @Test
  void tallyThatStandsThereTwiceIsRefused() throws IOException {
    write(Ledgers.witnessOfFull());
    List<String> lines = Files.readAllLines(file());
    Files.write(file(), List.of(lines.get(0), lines.get(1), lines.get(1)));
    assertUnusable(readVouchedFor(Pins.any()), "two tallies");
  }

  @Test
  void witnessOfAnotherPinIsUnusable() throws IOException {
    write(Ledgers.witnessOfFull());
    assertUnusable(readVouchedFor(Pins.of("arn:other", "orders")), "pin is \"910a8497894f28d2\"");
  }

  @Test
  void witnessOfOtherWindowsIsUnusable() throws IOException {
    write(Ledgers.witnessOfFull());
    Pin any = Pins.any();
    Pin otherwise =
        new Pin(
            any.pinnedAt(),
            any.boundary(),
            any.start(),
            any.windowStart(),
            Duration.ofMinutes(30),
            any.stream(),
            any.topic(),
            any.shards(),
            any.openAtBoundary(),
            any.oldest());
    assertThat(otherwise.id()).isEqualTo(any.id());
    assertUnusable(readVouchedFor(otherwise), "window is \"PT1H\", not \"PT30M\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\":1|\"version\":2|version is 2, not 1",
        "cutover-witness|something-else|format is",
        "2026-03-01T12:00:00.500Z\",\"window|2026-03-01T12:00:00.400Z\",\"window|boundary is",
        "\"tallies\":2|\"tallies\":\"2\"|tallies is no count",
        "\"count\":7,||count is no count",
        "\"count\":7|\"count\":0|tally of nothing",
        "\"count\":7|\"count\":-7|count is no count",
        "\"count\":7|\"count\":7.5|count is no count",
        "\"count\":7|\"count\":7,\"count\":8|Duplicate",
        "\"bytes\":1000|\"bytes\":null|bytes is no count",
        "ffffffff\"|fffffff\"|digest is malformed",
        "ffffffff\"|fffffffg\"|digest is malformed",
        "\"lowest\":\"4959033827\"|\"lowest\":\"-1\"|lowest is no sequence number",
        "\"lowest\":\"4959033827\"|\"lowest\":\"5959033827\"|tally of nothing",
        "\"start\":\"2026-03-01T10:00:00.500Z|\"start\":\"2026-03-01T10:00:00.499Z|no window",
        "\"start\":\"2026-03-01T10:00:00.500Z|\"start\":\"yesterday|start is malformed",
        "\"end\":\"2026-03-01T11:00:00.500Z|\"end\":\"2026-03-01T12:00:00.500Z|no window",
        "\"shard\":\"shardId-000000000002\"|\"shard\":2|shard is no text",
        "\"highest\":\"4959033829\"}|\"highest\":\"4959033829\"|Unexpected"
      })
  void whatIsMalformedIsRefusedEvenIfTheReportVouchesForIt(String is, String becomes, String why)
      throws IOException {
    write(Ledgers.witnessOfFull());
    String whole = Files.readString(file());
    assertThat(whole).contains(is);
    Files.writeString(file(), whole.replace(is, becomes == null ? "" : becomes));
    assertUnusable(readVouchedFor(Pins.any()), why);
  }

  @Test
  void emptyFileIsUnusable() throws IOException {
    Files.writeString(file(), "");
    assertUnusable(readVouchedFor(Pins.any()), "there is no object");
  }

  private void assertUnusable(WitnessFile.Reading reading, String... why) {
    assertThat(reading).isInstanceOf(WitnessFile.Unusable.class);
    assertThat(((WitnessFile.Unusable) reading).why())
        .contains(file().getFileName().toString())
        .contains(why);
  }
}
