package io.cutover.reconcile.telling;

import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of verdicts in {@code cutover.dir}: one of each run, with its date in its name, and
 * {@code verdict.html} and {@code verdict.json} of the last run. Each is whole or absent; {@code
 * verdict.json} is written last, so it never tells of a run whose other files are not there.
 *
 * <p>Runs beside each other each leave their dated file; the other two are of the one that ended
 * last.
 */
public final class VerdictFiles {

  static final String LAST = "verdict.json";
  static final String PAGE = "verdict.html";

  private static final String PREFIX = "verdict-";
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final CutoverDir dir;

  public VerdictFiles(CutoverDir dir) {
    this.dir = dir;
  }

  /** Writes all three. */
  public void write(VerdictReport report) {
    byte[] json = VerdictJson.text(report).getBytes(StandardCharsets.UTF_8);
    byte[] page = VerdictHtml.page(report).getBytes(StandardCharsets.UTF_8);
    String dated = dated(report.run());
    dir.write(dated, out -> out.write(json));
    // A run has one verdict: who knows more of a failure than the one who wrote first, replaces it.
    ofRun(report.run().id()).filter(name -> !name.equals(dated)).forEach(dir::delete);
    dir.write(PAGE, out -> out.write(page));
    dir.write(LAST, out -> out.write(json));
  }

  /** The address of the last run's. */
  public String last() {
    return dir.location(LAST);
  }

  /** The address of the page. */
  public String page() {
    return dir.location(PAGE);
  }

  /**
   * What a run came to.
   *
   * @param run its id
   * @return nothing if it has not written its verdict
   * @throws Refusal when the file is no verdict of a version known here
   */
  public Optional<VerdictReport> of(String run) {
    return ofRun(run)
        .findFirst()
        .flatMap(name -> dir.read(name).map(file -> parsed(dir.location(name), file)));
  }

  /** Whether a run has written its verdict, whatever it says. */
  public boolean has(String run) {
    return ofRun(run).findAny().isPresent();
  }

  private Stream<String> ofRun(String run) {
    return dir.names(PREFIX).stream().filter(name -> name.endsWith(suffix(run)));
  }

  private static String dated(Run run) {
    return PREFIX + DATE.format(run.finishedAt()) + suffix(run.id());
  }

  private static String suffix(String run) {
    return "-" + run + ".json";
  }

  private static VerdictReport parsed(String location, byte[] file) {
    try {
      return VerdictJson.report(new String(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new Refusal(
          Reason.REPORT_UNREADABLE,
          location
              + " is not a verdict of version "
              + VerdictJson.VERSION
              + " as it was written ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + "): use the release that wrote it, or reconcile again",
          e);
    }
  }
}
