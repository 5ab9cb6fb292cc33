package io.cutover.reconcile.telling;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import io.cutover.reconcile.verdict.VerdictReport.Listing;
import io.cutover.tally.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
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
public final class DifferencesFile implements AutoCloseable {

  /** Its name in {@code cutover.dir}: that of the last run. */
  public static final String NAME = "differences.jsonl";

  static final String FORMAT = "cutover-differences";
  static final int VERSION = 1;

  /** So many records of each kind are kept for the report. */
  static final int SAMPLES = 5;

  private static final int BUFFER_BYTES = 1 << 16;

  private final CutoverDir.Draft draft;
  private final MessageDigest sha256 = Sha256.begun();
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, List<Difference>> samples = new EnumMap<>(Kind.class);

  private DifferencesFile(CutoverDir.Draft draft) {
    this.draft = draft;
  }

  /**
   * Begins the file.
   *
   * @param run the id of the reconciliation's run
   * @throws io.cutover.Refusal when the folder cannot be used
   */
  public static DifferencesFile begin(CutoverDir dir, String pin, String run) {
    DifferencesFile file = new DifferencesFile(dir.draft(NAME));
    file.line(
        JsonNodeFactory.instance
            .objectNode()
            .put("format", FORMAT)
            .put("version", VERSION)
            .put("pin", pin)
            .put("run", run));
    return file;
  }

  /** Adds a record that differs. */
  public void add(Difference difference) {
    counts.merge(difference.kind(), 1L, Long::sum);
    List<Difference> kept = samples.computeIfAbsent(difference.kind(), kind -> new ArrayList<>());
    if (kept.size() < SAMPLES) {
      kept.add(difference);
    }
    line(DifferenceJson.of(difference));
  }

  private void line(ObjectNode json) {
    buffer.writeBytes((json + "\n").getBytes(StandardCharsets.UTF_8));
    if (buffer.size() >= BUFFER_BYTES) {
      flush();
    }
  }

  private void flush() {
    sha256.update(buffer.toByteArray());
    draft.write(buffer::writeTo);
    buffer.reset();
  }

  /**
   * Lets the file appear in the place of an earlier one, with no more than its header where nothing
   * differs.
   *
   * @return what the report tells of it
   */
  public Differences publish() {
    flush();
    draft.publish();
    return new Differences(
        counts,
        samples.values().stream().flatMap(List::stream).toList(),
        Optional.of(new Listing(NAME, HexFormat.of().formatHex(sha256.digest()))));
  }

  /** Gives up what was not published. */
  @Override
  public void close() {
    draft.close();
  }
}
