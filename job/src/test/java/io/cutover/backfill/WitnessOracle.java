package io.cutover.backfill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.rig.Producer.Written;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says what the witness must hold, from what was written; shares no code with the job. */
final class WitnessOracle {

  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);

  private record Window(String shard, Instant start) implements Comparable<Window> {
    @Override
    public int compareTo(Window other) {
      int byShard = shard.compareTo(other.shard);
      return byShard == 0 ? start.compareTo(other.start) : byShard;
    }
  }

  private record Sum(
      long count, long bytes, BigInteger digest, BigInteger lowest, BigInteger highest) {

    Sum plus(Sum other) {
      return new Sum(
          count + other.count,
          bytes + other.bytes,
          digest.add(other.digest).mod(MODULUS),
          lowest.min(other.lowest),
          highest.max(other.highest));
    }
  }

  private WitnessOracle() {}

  /**
   * The file holds a line for each window of each shard with records from before T, and no more.
   */
  static void assertWitness(
      Path file, List<Written> written, String pinId, Instant t, Duration length) {
    try {
      assertHolds(Files.readAllLines(file), written, pinId, t, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertHolds(
      List<String> lines, List<Written> written, String pinId, Instant t, Duration length)
      throws IOException {
    Map<Window, Sum> expected = new TreeMap<>();
    for (Written record : written) {
      if (record.arrival().isBefore(t)) {
        BigInteger sequence = new BigInteger(record.sequence());
        expected.merge(
            window(record, t, length),
            new Sum(1, record.data().length, digest(pinId, record), sequence, sequence),
            Sum::plus);
      }
    }
    assertThat(lines).as("lines of the witness").hasSize(expected.size() + 1);
    ObjectMapper json = new ObjectMapper();
    int line = 1;
    for (var entry : expected.entrySet()) {
      assertSame(json.readTree(lines.get(line++)), entry.getKey(), entry.getValue());
    }
  }

  private static Window window(Written record, Instant t, Duration length) {
    long before = Duration.between(record.arrival(), t).toMillis();
    long windows = (before + length.toMillis() - 1) / length.toMillis();
    return new Window(record.shardId(), t.minus(length.multipliedBy(windows)));
  }

  private static void assertSame(JsonNode line, Window window, Sum sum) {
    assertThat(line.path("shard").asText()).isEqualTo(window.shard());
    assertThat(line.path("start").asText()).as(window.shard()).isEqualTo(window.start().toString());
    assertThat(line.path("count").asLong()).as("%s", window).isEqualTo(sum.count());
    assertThat(line.path("bytes").asLong()).as("%s", window).isEqualTo(sum.bytes());
    assertThat(new BigInteger(line.path("digest").asText(), 16))
        .as("%s", window)
        .isEqualTo(sum.digest());
    assertThat(line.path("lowest").asText()).isEqualTo(sum.lowest().toString());
    assertThat(line.path("highest").asText()).isEqualTo(sum.highest().toString());
  }

  private static BigInteger digest(String pinId, Written record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    write(out, pinId.getBytes(UTF_8));
    write(out, record.shardId().getBytes(UTF_8));
    write(out, record.sequence().getBytes(UTF_8));
    out.writeBoolean(record.subSequence().isPresent());
    if (record.subSequence().isPresent()) {
      out.writeInt(record.subSequence().getAsInt());
    }
    out.writeBoolean(record.key().isPresent());
    if (record.key().isPresent()) {
      write(out, record.key().get().getBytes(UTF_8));
    }
    out.writeLong(record.arrival().toEpochMilli());
    out.writeBoolean(true);
    write(out, record.data());
    try {
      byte[] sha = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
      return new BigInteger(1, Arrays.copyOf(sha, 16));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
