package io.cutover.preflight;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Everything that was looked at, in the order of the steps.
 *
 * @param pinId the copy that it was looked at for
 */
public record PreflightResult(String pinId, List<Check> checks) {

  public PreflightResult {
    checks = List.copyOf(checks);
  }

  /** Whether the copy may begin. */
  public boolean passed() {
    return checks.stream().noneMatch(check -> check.verdict().blocks());
  }

  /** The checks that are accepted as unknown; they belong in the report. */
  public List<Check> waivers() {
    return with(Verdict.WAIVED);
  }

  private List<Check> with(Verdict verdict) {
    return checks.stream().filter(check -> check.verdict() == verdict).toList();
  }

  /**
   * @throws Refusal that names every check that keeps the copy from beginning
   */
  public void orRefuse() {
    if (!passed()) {
      throw new Refusal(Reason.PREFLIGHT_FAILED, summary());
    }
  }

  /**
   * For where no table can be shown.
   *
   * @throws Refusal that tells of every such check what was found, what was wanted and what mends
   *     it
   */
  public void orRefuseInDetail() {
    if (!passed()) {
      String details =
          checks.stream()
              .filter(check -> check.verdict().blocks())
              .map(PreflightResult::detail)
              .collect(Collectors.joining());
      throw new Refusal(Reason.PREFLIGHT_FAILED, summary() + details);
    }
  }

  private static String detail(Check check) {
    return "\n  "
        + check.name()
        + ": "
        + check.found()
        + ", wanted "
        + check.wanted()
        + check.remedy().map(remedy -> "\n    mend: " + remedy.text()).orElse("");
  }

  /** One line: how many checks, and the names of those that did not pass. */
  public String summary() {
    List<Check> failed = with(Verdict.FAIL);
    List<Check> unknown = with(Verdict.UNKNOWN);
    StringBuilder line = new StringBuilder();
    if (failed.isEmpty() && unknown.isEmpty()) {
      line.append("all ").append(checks.size()).append(" checks passed");
      List<Check> waived = waivers();
      if (!waived.isEmpty()) {
        line.append(", of which waived as unknown: ").append(names(waived));
      }
      return line.toString();
    }
    if (!failed.isEmpty()) {
      line.append(failed.size()).append(" of ").append(checks.size()).append(" checks failed: ");
      line.append(names(failed));
    }
    if (!unknown.isEmpty()) {
      line.append(failed.isEmpty() ? "" : "; ");
      line.append(unknown.size()).append(" of ").append(checks.size());
      line.append(" cannot be found out: ").append(names(unknown));
    }
    return line.toString();
  }

  private static String names(List<Check> checks) {
    return checks.stream().map(check -> check.name().toString()).collect(Collectors.joining(", "));
  }

  /** The table for a terminal, 100 columns wide. */
  public String table() {
    return PreflightTable.of(checks);
  }

  /** The document for a machine. */
  public String json() {
    return PreflightJson.of(this);
  }
}
