package io.cutover;

import org.apache.flink.util.SerializedThrowable;

/**
 * What a failure means to whoever called the command.
 *
 * @param message one line that a person can act on
 */
public record Outcome(int exitCode, String message) {

  public static Outcome of(Throwable thrown) {
    if (thrown instanceof UsageException) {
      return new Outcome(Reason.USAGE, thrown.getMessage());
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      // By name: what a cluster reports was loaded by another loader, or is only described.
      String name = className(cause);
      if (name.equals(Refusal.class.getName())) {
        String message = message(cause, name);
        int exitCode = Reason.in(message).map(Reason::exitCode).orElse(Reason.REFUSED);
        return new Outcome(exitCode, message);
      }
    }
    return new Outcome(Reason.FAILED, innermost(thrown));
  }

  private static String className(Throwable thrown) {
    return thrown instanceof SerializedThrowable described
        ? described.getOriginalErrorClassName()
        : thrown.getClass().getName();
  }

  /** A described throwable has its class name in front of its message. */
  private static String message(Throwable thrown, String className) {
    String message = String.valueOf(thrown.getMessage());
    String prefix = className + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  private static String innermost(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == thrown && cause.getMessage() != null ? cause.getMessage() : cause.toString();
  }
}
