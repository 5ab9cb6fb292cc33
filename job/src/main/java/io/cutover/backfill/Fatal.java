package io.cutover.backfill;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.util.Set;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** What a refusal inside the running job comes to. */
final class Fatal {

  /** A server that does not answer now may answer later. */
  private static final Set<Reason> PASSING =
      Set.of(Reason.KINESIS_UNREACHABLE, Reason.KAFKA_UNREACHABLE, Reason.FOLDER_UNUSABLE);

  private Fatal() {}

  /** Whether it may be different the next time. */
  static boolean passing(Refusal refusal) {
    return PASSING.contains(refusal.reason());
  }

  /**
   * Ends the job for good when a check refuses; only fails it, so that it is tried again, when a
   * server did not answer.
   */
  static void onRefusal(Runnable check) {
    try {
      check.run();
    } catch (Refusal refusal) {
      if (passing(refusal)) {
        throw new IllegalStateException(refusal.getMessage(), refusal);
      }
      throw new SuppressRestartsException(refusal);
    }
  }
}
