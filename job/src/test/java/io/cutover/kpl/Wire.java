package io.cutover.kpl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Writes aggregates byte by byte, and wrong ones as readily as right ones. Shares nothing with the
 * parser: what both believe of the format is written down twice.
 */
final class Wire {

  static final byte[] MAGIC = HexFormat.of().parseHex("f3899ac2");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The blob of a body: magic, body, and the MD5 of the body. */
  static byte[] seal(byte[] body) {
    return concat(MAGIC, body, md5(body));
  }

  static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  Wire partitionKey(String key) {
    return field(1, key.getBytes(UTF_8));
  }

  Wire explicitHashKey(String key) {
    return field(2, key.getBytes(UTF_8));
  }

  Wire member(long partitionKey, byte[] data) {
    return member(new Wire().field(1, partitionKey).field(3, data));
  }

  Wire member(long partitionKey, long explicitHashKey, byte[] data) {
    return member(new Wire().field(1, partitionKey).field(2, explicitHashKey).field(3, data));
  }

  Wire member(Wire member) {
    return field(3, member.bytes());
  }

  /** A varint field. */
  Wire field(int number, long value) {
    return varint(tag(number, 0)).varint(value);
  }

  /** A length-delimited field. */
  Wire field(int number, byte[] value) {
    return varint(tag(number, 2)).varint(value.length).raw(value);
  }

  static long tag(int number, int wireType) {
    return ((long) number << 3) | wireType;
  }

  Wire varint(long value) {
    long rest = value;
    while (rest >>> 7 != 0) {
      out.write((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
    return this;
  }

  Wire raw(byte... bytes) {
    out.writeBytes(bytes);
    return this;
  }

  Wire raw(String hex) {
    return raw(HexFormat.of().parseHex(hex));
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  byte[] sealed() {
    return seal(bytes());
  }
}
