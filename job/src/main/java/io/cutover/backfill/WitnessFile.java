package io.cutover.backfill;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.pin.Pin;
import io.cutover.tally.Sha256;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import io.cutover.tally.Windows;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The file {@code witness.jsonl} in {@code cutover.dir}: the tallies that the backfill took while
 * it read. One JSON object a line: first the header, then one line for each window of each shard
 * that holds a record, by shard id and time. The same copy always comes to the same bytes.
 */
final class WitnessFile {

  static final String NAME = "witness.jsonl";

  private static final String FORMAT = "cutover-witness";
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What was written.
   *
   * @param sha256 of the whole file, hexadecimal
   * @param tallies lines behind the header
   */
  record Written(String sha256, long tallies) {}

  private WitnessFile() {}

  static Written write(CopyTerms terms, Tallies witness) {
    MessageDigest sha256 = Sha256.begun();
    long tallies = witness.byShard().values().stream().mapToLong(windows -> windows.size()).sum();
    terms
        .dir()
        .write(
            NAME,
            out -> {
              sha256.reset();
              OutputStream digested = new DigestOutputStream(out, sha256);
              writeLines(digested, terms.pin(), tallies, witness);
              digested.flush();
            });
    return new Written(HexFormat.of().formatHex(sha256.digest()), tallies);
  }

  private static void writeLines(OutputStream out, Pin pin, long tallies, Tallies witness)
      throws IOException {
    Windows windows = pin.tallies();
    ObjectNode header = JSON.createObjectNode();
    header
        .put("format", FORMAT)
        .put("version", VERSION)
        .put("pin", pin.id())
        .put("boundary", pin.boundary().toString())
        .put("window", pin.tallyWindow().toString())
        .put("tallies", tallies);
    line(out, header);
    for (var shard : witness.byShard().entrySet()) {
      for (var window : shard.getValue().entrySet()) {
        line(out, tally(shard.getKey(), windows, window.getKey(), window.getValue()));
      }
    }
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
    out.write((json + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
