package io.cutover.backfill;

import io.cutover.Refusal;

/** The topic does not hold what was read: the copy went wrong, where a refusal is still in time. */
public final class LostRecords extends Refusal {

  private static final long serialVersionUID = 1L;

  public LostRecords(String message) {
    super(message);
  }
}
