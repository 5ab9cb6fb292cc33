package io.cutover;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why a command or a job ended without doing what it was asked. The name stands at the end of the
 * message, in brackets; the runbook's table says what to do about each.
 */
public enum Reason {
  // The command line and the configuration.
  BAD_ARGUMENTS(Reason.USAGE),
  CONFIGURATION_UNREADABLE(Reason.USAGE),
  OPTION_UNKNOWN(Reason.USAGE),
  OPTION_MISSING(Reason.USAGE),
  OPTION_VALUE(Reason.USAGE),

  // The servers.
  KINESIS_UNREACHABLE(Reason.REFUSED),
  KINESIS_DENIED(Reason.REFUSED),
  KINESIS_PROXY(Reason.REFUSED),
  STREAM_MISSING(Reason.REFUSED),
  KAFKA_UNREACHABLE(Reason.REFUSED),
  KAFKA_DENIED(Reason.REFUSED),
  KAFKA_PROPERTIES(Reason.USAGE),
  TOPIC_MISSING(Reason.REFUSED),
  FOLDER_UNUSABLE(Reason.REFUSED),

  // The pin.
  PIN_MISSING(Reason.REFUSED),
  PIN_UNREADABLE(Reason.REFUSED),
  PIN_EDITED(Reason.REFUSED),
  PIN_NEWER(Reason.REFUSED),
  PIN_DIFFERS(Reason.REFUSED),
  BOUNDARY_UNUSABLE(Reason.REFUSED),
  BOUNDARY_EXPIRED(Reason.REFUSED),
  HEADROOM_TOO_SMALL(Reason.REFUSED),
  STREAM_RECREATED(Reason.REFUSED),
  TOPIC_RECREATED(Reason.REFUSED),
  TOPIC_REPARTITIONED(Reason.REFUSED),

  // Before a copy begins, or goes on.
  PREFLIGHT_FAILED(Reason.REFUSED),
  ALREADY_RUNNING(Reason.REFUSED),
  TRANSACTIONS_OPEN(Reason.REFUSED),
  COPY_BEGUN(Reason.REFUSED),
  FOREIGN_RECORDS(Reason.REFUSED),
  FOLDER_OF_ANOTHER(Reason.REFUSED),
  REPORT_UNREADABLE(Reason.REFUSED),
  CHECKPOINT_OF_ANOTHER(Reason.REFUSED),

  // While a copy runs.
  RETENTION_LOWERED(Reason.REFUSED),
  RETENTION_OVERTOOK(Reason.REFUSED),
  SHARD_VANISHED(Reason.REFUSED),
  SHARD_CHANGED(Reason.REFUSED),
  CHILDREN_MISSING(Reason.REFUSED),
  KEY_MISSING(Reason.REFUSED),
  STOPPED_EARLY(Reason.REFUSED),
  RECORDS_LOST(Reason.FAILED),
  WITNESS_DISAGREES(Reason.FAILED),

  // The verdict of a reconciliation, other than CLEARED.
  MISMATCH(Reason.FAILED),
  PARTIAL(Reason.COMPARED_IN_PART),
  INCONCLUSIVE(Reason.REFUSED);

  /** Exit code: it failed. */
  static final int FAILED = 1;

  /** Exit code: what was compared agrees, but not all was compared. */
  static final int COMPARED_IN_PART = 2;

  /** Exit code: refused, or given up because it could not become exact. */
  static final int REFUSED = 3;

  /** Exit code: bad arguments or configuration. */
  static final int USAGE = 64;

  private final int exitCode;

  Reason(int exitCode) {
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }

  /** The message with this reason behind it. */
  public String of(String message) {
    return message + " [" + name() + "]";
  }

  /** The reason at the end of a message that {@link #of} made. */
  static Optional<Reason> in(String message) {
    return Arrays.stream(values())
        .filter(reason -> message.endsWith(" [" + reason.name() + "]"))
        .findFirst();
  }
}
