package io.cutover.backfill;

import io.cutover.Reason;
import io.cutover.Refusal;
import java.util.Set;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** What a refusal inside the running job comes to. */
final class Fatal {

  /** A server that does not answer now may answer after a restart. */
  private static final Set<Reason> PASSING =
      Set.of(Reason.KINESIS_UNREACHABLE, Reason.KAFKA_UNREACHABLE);

  private Fatal() {}

  /** Ends the job for good when a check refuses, unless only because a server did not answer. */
  static void onRefusal(Runnable check) {
    try {
      check.run();
    } catch (Refusal refusal) {
      if (PASSING.contains(refusal.reason())) {
        throw refusal;
      }
      throw new SuppressRestartsException(refusal);
    }
  }
}
