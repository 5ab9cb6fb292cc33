package io.cutover.tally;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Java's SHA-256, which every platform has. */
public final class Sha256 {

  private Sha256() {}

  /** A digest that has taken in nothing yet. */
  public static MessageDigest begun() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
