package io.cutover.reconcile.drilldown;

import io.cutover.tally.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * Tells two byte strings apart without keeping them: the first half of their SHA-256.
 *
 * @param present false where there are no bytes, which is not the same as none in them
 */
record Fingerprint(boolean present, long high, long low) {

  private static final Fingerprint ABSENT = new Fingerprint(false, 0, 0);

  /** Takes fingerprints one after the other; not thread-safe. */
  static final class Maker {
    private final MessageDigest sha256 = Sha256.begun();

    Fingerprint of(Optional<byte[]> bytes) {
      if (bytes.isEmpty()) {
        return ABSENT;
      }
      ByteBuffer digest = ByteBuffer.wrap(sha256.digest(bytes.get()));
      return new Fingerprint(true, digest.getLong(), digest.getLong());
    }
  }
}
