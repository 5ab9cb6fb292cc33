package io.cutover.pin;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Which copy this is: the stream, the topic and T. Its id marks every record of it.
 *
 * @param pinId sixteen hexadecimal digits
 * @param streamCreatedAt tells the stream from another that was created under its name
 */
public record Copy(
    String pinId, String streamArn, Instant streamCreatedAt, String topic, Instant boundary)
    implements Serializable {

  private static final int ID_BYTES = 8;

  /** The same four always come to the same id, so that a run knows what an earlier one wrote. */
  public static Copy of(String streamArn, Instant streamCreatedAt, String topic, Instant boundary) {
    String identity =
        String.join("\n", streamArn, streamCreatedAt.toString(), topic, boundary.toString());
    byte[] digest = sha256().digest(identity.getBytes(StandardCharsets.UTF_8));
    String id = HexFormat.of().formatHex(digest, 0, ID_BYTES);
    return new Copy(id, streamArn, streamCreatedAt, topic, boundary);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
