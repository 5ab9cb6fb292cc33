package io.cutover.backfill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.config.BackfillOptions;
import io.cutover.pin.Pins;
import io.cutover.tally.Tallies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WitnessFileTest {

  @TempDir private Path dir;

  private WitnessFile.Written write(Tallies witness) {
    Configuration config = new Configuration();
    config.set(BackfillOptions.DIR, dir.toUri().toString());
    return WitnessFile.write(new CopyTerms(Pins.any(), config), witness);
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
  void checksumIsThatOfTheWholeFile() throws Exception {
    WitnessFile.Written written = write(Ledgers.witnessOfFull());
    byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file()));
    assertThat(written).isEqualTo(new WitnessFile.Written(HexFormat.of().formatHex(sha256), 2));
  }

  @Test
  void copyOfNothingHasAHeaderOnly() throws IOException {
    assertThat(write(new Tallies()).tallies()).isZero();
    assertThat(Files.readString(file(), UTF_8).lines()).hasSize(1);
  }
}
