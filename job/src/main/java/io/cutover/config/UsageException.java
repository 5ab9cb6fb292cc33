package io.cutover.config;

/** Bad arguments or a bad configuration: exit code 64. */
public final class UsageException extends RuntimeException {

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
