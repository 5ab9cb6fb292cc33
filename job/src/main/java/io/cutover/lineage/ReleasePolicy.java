package io.cutover.lineage;

/** When a shard may be read, seen from its parents. */
public enum ReleasePolicy {
  /**
   * When a completed checkpoint covers the end of every listed parent, or at once on the subtask
   * where all of them ended: only then is no child's record written before its parent's. Needs
   * checkpoints.
   */
  ORDERED,
  /** At once. For a reader that does not care about order, in batch and without checkpoints. */
  UNORDERED
}
