package io.cutover;

/**
 * A refusal to go on that no restart can mend. Its message is one a person can act on: what, what
 * was expected, what was found, what to do.
 */
public class Refusal extends RuntimeException {

  public Refusal(String message) {
    super(message);
  }

  public Refusal(String message, Throwable cause) {
    super(message, cause);
  }
}
