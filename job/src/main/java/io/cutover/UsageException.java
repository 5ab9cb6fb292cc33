package io.cutover;

/** Bad arguments or a bad configuration: exit code 64. Its message is one a person can act on. */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(Reason reason, String message) {
    super(reason.of(message));
  }

  public UsageException(Reason reason, String message, Throwable cause) {
    super(reason.of(message), cause);
  }
}
