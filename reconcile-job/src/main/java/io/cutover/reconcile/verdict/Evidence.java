package io.cutover.reconcile.verdict;

/** Where the Kinesis side of one window of one shard comes from. */
public enum Evidence {
  /** The stream, which still held all of it. */
  REREAD,
  /** What the backfill wrote down while it read. */
  WITNESS,
  /** Nowhere: it has expired, and there is no witness of it that may be used. */
  NOT_COMPARED
}
