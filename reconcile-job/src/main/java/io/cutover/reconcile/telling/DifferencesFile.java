package io.cutover.reconcile.telling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import io.cutover.reconcile.verdict.VerdictReport.Listing;
import io.cutover.tally.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The file of all records that differ, in {@code cutover.dir}, whole or absent. One JSON object a
 * line: first a header with format, version, pin and run, then each record as {@link
 * DifferenceJson} has it, in the order in which they were handed over.
 *
 * <p>While it is written it keeps a count and {@value #SAMPLES} records of each kind, and no more,
 * however many there are.
 */
public final class DifferencesFile {

  /** Where the records come from. */
  @FunctionalInterface
  public interface Found {
    /** Hands over every record that differs, each once. Called anew it begins anew. */
    void forEach(Sink sink) throws IOException;
  }

  /** Takes one record after the other. */
  @FunctionalInterface
  public interface Sink {
    void add(Difference difference) throws IOException;
  }

  static final String FORMAT = "cutover-differences";
  static final int VERSION = 1;

  /** So many records of each kind are kept for the report. */
  static final int SAMPLES = 5;

  private final OutputStream out;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, List<Difference>> samples = new EnumMap<>(Kind.class);

  private DifferencesFile(OutputStream out) {
    this.out = out;
  }

  /**
   * Writes the file in the place of an earlier one, with no more than its header where nothing
   * differs.
   *
   * @param name of the file
   * @param run the id of the reconciliation's run
   * @return what the report tells of it
   * @throws io.cutover.Refusal when the folder cannot be used, or the records cannot be read
   */
  public static Differences write(
      CutoverDir dir, String name, String pin, String run, Found found) {
    List<Differences> written = new ArrayList<>();
    dir.write(
        name,
        out -> {
          MessageDigest sha256 = Sha256.begun();
          OutputStream digested = new BufferedOutputStream(new DigestOutputStream(out, sha256));
          DifferencesFile file = new DifferencesFile(digested);
          file.line(header(pin, run));
          found.forEach(file::add);
          digested.flush();
          written.add(file.differences(name, HexFormat.of().formatHex(sha256.digest())));
        });
    return written.get(written.size() - 1);
  }

  private static ObjectNode header(String pin, String run) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("format", FORMAT)
        .put("version", VERSION)
        .put("pin", pin)
        .put("run", run);
  }

  private void add(Difference difference) throws IOException {
    counts.merge(difference.kind(), 1L, Long::sum);
    List<Difference> kept = samples.computeIfAbsent(difference.kind(), kind -> new ArrayList<>());
    if (kept.size() < SAMPLES) {
      kept.add(difference);
    }
    line(DifferenceJson.of(difference));
  }

  private void line(ObjectNode json) throws IOException {
    out.write((json + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private Differences differences(String name, String sha256) {
    return new Differences(
        counts,
        samples.values().stream().flatMap(List::stream).toList(),
        Optional.of(new Listing(name, sha256)));
  }
}
