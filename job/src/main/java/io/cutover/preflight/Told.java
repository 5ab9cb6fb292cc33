package io.cutover.preflight;

import java.util.Optional;
import java.util.function.Function;

/** What a server answered, or why nothing is known. */
public sealed interface Told<T> {

  /** Why nothing is known. */
  enum Why {
    /** Nobody answers at the address, or does not take the credentials. */
    UNREACHABLE,
    /** The principal may not ask. */
    DENIED,
    /** The principal may ask, but not decipher the answer. */
    KEY_UNUSABLE,
    /** What was asked about does not exist. */
    MISSING,
    /** No answer this time, or none that is understood. */
    UNANSWERED
  }

  record Known<T>(T answer) implements Told<T> {}

  /**
   * @param detail what the server or the client said
   */
  record Untold<T>(Why why, String detail) implements Told<T> {}

  static <T> Told<T> known(T value) {
    return new Known<>(value);
  }

  static <T> Told<T> untold(Why why, String detail) {
    return new Untold<>(why, detail);
  }

  default Optional<T> value() {
    return this instanceof Known<T> known ? Optional.of(known.answer()) : Optional.empty();
  }

  default <R> R fold(Function<T, R> ifKnown, Function<Untold<T>, R> ifNot) {
    return this instanceof Known<T> known
        ? ifKnown.apply(known.answer())
        : ifNot.apply((Untold<T>) this);
  }

  /** Made of the answer, where there is one. */
  default <R> Told<R> map(Function<T, R> made) {
    return fold(
        answer -> known(made.apply(answer)), untold -> untold(untold.why(), untold.detail()));
  }
}
