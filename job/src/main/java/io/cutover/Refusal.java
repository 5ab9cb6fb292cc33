package io.cutover;

/**
 * A refusal to go on that no restart can mend. Its message is one a person can act on: what, what
 * was expected, what was found, what to do; and the {@link Reason}.
 */
public class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Reason reason;

  public Refusal(Reason reason, String message) {
    super(reason.of(message));
    this.reason = reason;
  }

  public Refusal(Reason reason, String message, Throwable cause) {
    super(reason.of(message), cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
