package io.cutover.lineage;

/** Why the reading of a shard ended. The names are part of the ledger's format. */
public enum EndReason {
  /** The server gave no next iterator: the shard was split or merged, and nothing is left in it. */
  CLOSED,
  /** A record with arrival at or after T + slack was met. All descendants lie after T. */
  BOUNDARY,
  /** The tip was reached on a call sent when the server's clock had passed T + slack. */
  TIP,
  /** Not read: an ancestor's reading ended with {@link #BOUNDARY}, so all of it lies after T. */
  UNREAD;

  /** Whether the shard's descendants need not be read. */
  public boolean descendantsLieAfterBoundary() {
    return this == BOUNDARY || this == UNREAD;
  }
}
