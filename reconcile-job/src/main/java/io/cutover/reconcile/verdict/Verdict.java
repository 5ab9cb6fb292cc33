package io.cutover.reconcile.verdict;

/** What a reconciliation says of the copy. The first that applies, top down. */
public enum Verdict {
  /** A side could not be read whole, or is not the pinned one. */
  INCONCLUSIVE(3),
  /** The sides differ. */
  MISMATCH(1),
  /** What was compared agrees, but not all of the copy was compared. */
  PARTIAL(2),
  /** Everything was compared, and all of it agrees. */
  CLEARED(0);

  private final int exitCode;

  Verdict(int exitCode) {
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
