package io.cutover.preflight;

/** What a check came to. */
public enum Verdict {
  /** As wanted. */
  PASS,
  /** Not as wanted: the copy does not begin. Cannot be waived. */
  FAIL,
  /** Could not be found out: the copy does not begin unless the check is waived by name. */
  UNKNOWN,
  /** Could not be found out, and {@code preflight.waive} accepts that. */
  WAIVED;

  public boolean blocks() {
    return this == FAIL || this == UNKNOWN;
  }
}
