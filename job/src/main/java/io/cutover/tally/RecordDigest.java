package io.cutover.tally;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The digest of a record as it stands, or ought to stand, in the topic: the first 128 bits of the
 * SHA-256 of its origin, key, value and timestamp. Each part has its length in front of it, so that
 * no two records come to the same bytes; a missing key is not an empty one.
 *
 * <p>The form is a contract between the backfill, which writes the witness, and the reconciliation:
 *
 * <pre>
 * int32 length, pin id (UTF-8)
 * int32 length, shard id (UTF-8)
 * int32 length, sequence number (decimal digits, UTF-8)
 * byte 0, or byte 1 and int32 sub-sequence number
 * byte 0, or byte 1, int32 length and key
 * int64 timestamp, epoch milliseconds
 * byte 0, or byte 1, int32 length and value
 * </pre>
 *
 * <p>All numbers are big-endian. Not thread-safe; holds the digest of the last record.
 */
public final class RecordDigest {

  private static final int DIGEST_BYTES = 32;

  private final MessageDigest sha256 = Sha256.begun();
  private final byte[] pinId;
  private final byte[] digest = new byte[DIGEST_BYTES];
  private final ByteBuffer halves = ByteBuffer.wrap(digest);

  private ByteBuffer head = ByteBuffer.allocate(512);

  /** Pin id and shard id stand at the beginning of the head, for as long as they are the same. */
  private Optional<String> shardInHead = Optional.empty();

  private int originBegins;

  public RecordDigest(String pinId) {
    this.pinId = pinId.getBytes(UTF_8);
  }

  /**
   * Takes a record in.
   *
   * @param key nothing for a record without one
   * @param value nothing for a tombstone
   */
  public void take(
      String shardId,
      String sequenceNumber,
      OptionalInt subSequence,
      Optional<byte[]> key,
      long timestampMillis,
      Optional<byte[]> value) {
    byte[] sequence = sequenceNumber.getBytes(UTF_8);
    begin(shardId, sequence.length + key.map(bytes -> bytes.length).orElse(0));
    putBytes(sequence);
    head.put((byte) (subSequence.isPresent() ? 1 : 0));
    subSequence.ifPresent(head::putInt);
    head.put((byte) (key.isPresent() ? 1 : 0));
    key.ifPresent(this::putBytes);
    head.putLong(timestampMillis);
    head.put((byte) (value.isPresent() ? 1 : 0));
    value.ifPresent(bytes -> head.putInt(bytes.length));
    sha256.update(head.array(), 0, head.position());
    value.ifPresent(sha256::update);
    finish();
  }

  private void begin(String shardId, int variableBytes) {
    int needed = 64 + pinId.length + 3 * shardId.length() + variableBytes;
    if (head.capacity() < needed) {
      head = ByteBuffer.allocate(2 * needed);
      shardInHead = Optional.empty();
    }
    if (shardInHead.isEmpty() || !shardInHead.get().equals(shardId)) {
      head.clear();
      putBytes(pinId);
      putBytes(shardId.getBytes(UTF_8));
      originBegins = head.position();
      shardInHead = Optional.of(shardId);
    }
    head.position(originBegins);
  }

  private void putBytes(byte[] bytes) {
    head.putInt(bytes.length).put(bytes);
  }

  private void finish() {
    try {
      sha256.digest(digest, 0, DIGEST_BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 has 32 bytes", e);
    }
  }

  /** The upper 64 bits. */
  public long high() {
    return halves.getLong(0);
  }

  /** The lower 64 bits. */
  public long low() {
    return halves.getLong(Long.BYTES);
  }
}
