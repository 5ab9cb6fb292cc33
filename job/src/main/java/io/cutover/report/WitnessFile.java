package io.cutover.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.pin.Pin;
import io.cutover.tally.Sha256;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import io.cutover.tally.Windows;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The file {@code witness.jsonl} in {@code cutover.dir}: the tallies that the backfill took while
 * it read. One JSON object a line: first the header, then one line for each window of each shard
 * that holds a record, by shard id and time. The same copy always comes to the same bytes.
 */
public final class WitnessFile {

  public static final String NAME = "witness.jsonl";

  private static final String FORMAT = "cutover-witness";
  private static final int VERSION = 1;
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{32}");
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * What was written.
   *
   * @param sha256 of the whole file, hexadecimal
   * @param tallies lines behind the header
   */
  public record Written(String sha256, long tallies) {}

  /** What reading it came to. */
  public sealed interface Reading {}

  /** Every line of it was read, and it is the one that was asked for. */
  public record Whole(Tallies tallies) implements Reading {}

  /**
   * Nothing of it may be used.
   *
   * @param why with the file's address, and what to do
   */
  public record Unusable(String why) implements Reading {}

  private WitnessFile() {}

  /** Writes the witness of a copy, in the place of an earlier one. */
  public static Written write(CutoverDir dir, Pin pin, Tallies witness) {
    MessageDigest sha256 = Sha256.begun();
    long tallies = witness.byShard().values().stream().mapToLong(windows -> windows.size()).sum();
    dir.write(
        NAME,
        out -> {
          sha256.reset();
          OutputStream digested = new DigestOutputStream(out, sha256);
          writeLines(digested, pin, tallies, witness);
          digested.flush();
        });
    return new Written(HexFormat.of().formatHex(sha256.digest()), tallies);
  }

  private static void writeLines(OutputStream out, Pin pin, long tallies, Tallies witness)
      throws IOException {
    Windows windows = pin.tallies();
    line(out, header(pin).put("tallies", tallies));
    for (var shard : witness.byShard().entrySet()) {
      for (var window : shard.getValue().entrySet()) {
        line(out, tally(shard.getKey(), windows, window.getKey(), window.getValue()));
      }
    }
  }

  private static ObjectNode header(Pin pin) {
    return JSON.createObjectNode()
        .put("format", FORMAT)
        .put("version", VERSION)
        .put("pin", pin.id())
        .put("boundary", pin.boundary().toString())
        .put("window", pin.tallyWindow().toString());
  }

  private static ObjectNode tally(String shard, Windows windows, long index, Tally tally) {
    return JSON.createObjectNode()
        .put("shard", shard)
        .put("start", windows.start(index).toString())
        .put("end", windows.end(index).toString())
        .put("count", tally.count())
        .put("bytes", tally.bytes())
        .put("digest", tally.digest())
        .put("lowest", tally.lowest())
        .put("highest", tally.highest());
  }

  private static void line(OutputStream out, ObjectNode json) throws IOException {
    out.write((json + "\n").getBytes(UTF_8));
  }

  /**
   * Reads the witness of a copy.
   *
   * @param sha256 of the file when it was written, hexadecimal, as the report says
   */
  public static Reading read(CutoverDir dir, Pin pin, String sha256) {
    String location = dir.location(NAME);
    Optional<byte[]> file = dir.read(NAME);
    if (file.isEmpty()) {
      return new Unusable(location + " is not there: restore it");
    }
    String found = HexFormat.of().formatHex(Sha256.begun().digest(file.get()));
    if (!found.equals(sha256)) {
      return new Unusable(
          "%s is not as the backfill wrote it: its SHA-256 is %s, but the report says %s. Restore it"
              .formatted(location, found, sha256));
    }
    try {
      return new Whole(tallies(file.get(), pin));
    } catch (IOException | IllegalArgumentException e) {
      return new Unusable(
          "%s is no witness of copy %s in version %d, as the report has it (%s)"
              .formatted(location, pin.id(), VERSION, firstLine(e)));
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static Tallies tallies(byte[] file, Pin pin) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(new ByteArrayInputStream(file), UTF_8));
    Fields header = new Fields(json(lines.readLine()));
    header(pin)
        .fields()
        .forEachRemaining(expected -> check(header, expected.getKey(), expected.getValue()));
    Tallies tallies = new Tallies();
    long read = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      read++;
      take(new Fields(json(line)), pin.tallies(), tallies);
    }
    if (read != header.count("tallies")) {
      throw new IllegalArgumentException(
          "its header says " + header.count("tallies") + " tallies, but it holds " + read);
    }
    return tallies;
  }

  private static JsonNode json(String line) throws IOException {
    // Of an empty file there is no first line.
    return JSON.readTree(line == null ? "" : line);
  }

  private static void check(Fields header, String name, JsonNode expected) {
    JsonNode found = header.json().path(name);
    if (!found.equals(expected)) {
      throw new IllegalArgumentException(name + " is " + found + ", not " + expected);
    }
  }

  private static void take(Fields line, Windows windows, Tallies tallies) {
    String shard = line.text("shard");
    String start = line.text("start");
    long window = line.parsed("start", text -> windows.index(Instant.parse(text).toEpochMilli()));
    if (!windows.start(window).toString().equals(start)
        || !windows.end(window).toString().equals(line.text("end"))) {
      throw new IllegalArgumentException("there is no window from " + start);
    }
    if (tallies.byShard().getOrDefault(shard, new TreeMap<>()).containsKey(window)) {
      throw new IllegalArgumentException("it has two tallies of " + shard + " from " + start);
    }
    tallies.add(shard, window, tally(line));
  }

  private static Tally tally(Fields line) {
    String digest = line.text("digest");
    if (!DIGEST.matcher(digest).matches()) {
      throw new IllegalArgumentException("digest is malformed: " + digest);
    }
    Tally tally =
        new Tally(
            line.count("count"),
            line.count("bytes"),
            Long.parseUnsignedLong(digest.substring(0, 16), 16),
            Long.parseUnsignedLong(digest.substring(16), 16),
            line.sequence("lowest"),
            line.sequence("highest"));
    if (tally.count() == 0 || Tally.compareSequences(tally.lowest(), tally.highest()) > 0) {
      throw new IllegalArgumentException("a tally of nothing: " + line.json());
    }
    return tally;
  }
}
