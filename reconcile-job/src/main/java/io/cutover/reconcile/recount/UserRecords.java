package io.cutover.reconcile.recount;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.reconcile.verdict.VerdictReport.Count;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.OptionalInt;

/**
 * Counts the user records of one Kinesis record and their payload bytes, and shares nothing with
 * what the copy takes aggregates apart by. A KPL aggregate (magic, body, MD5 of the body) has one
 * for each member; whatever is not sound to the last byte is one record with all of its bytes.
 *
 * <p>The body is walked once, field by field: the tables may stand behind the members that point
 * into them, so that only the highest index is kept, and held against the tables' sizes at the end.
 */
final class UserRecords {

  private static final byte[] MAGIC = HexFormat.of().parseHex("f3899ac2");
  private static final int MD5_BYTES = 16;

  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  /** Of seven bits each, for 64 bits. */
  private static final int LONGEST_VARINT = 10;

  private final Table partitionKeys = new Table();
  private final Table hashKeys = new Table();
  private long members;
  private long bytes;

  /** How many keys there are, and how many the members take for granted. */
  private static final class Table {
    private long size;
    private long needed;

    void add(ByteBuffer text) throws CharacterCodingException {
      UTF_8.newDecoder().decode(text);
      size++;
    }

    void pointedInto(long index) {
      // Unsigned: an index of 2^64 - 1 needs more entries than can be counted.
      needed = Math.max(needed, index < 0 || index == Long.MAX_VALUE ? Long.MAX_VALUE : index + 1);
    }

    boolean suffices() {
      return needed <= size;
    }
  }

  /** The bytes are no aggregate. */
  private static final class NotSound extends Exception {
    private static final long serialVersionUID = 1L;

    NotSound(String why) {
      super(why, null, false, false);
    }
  }

  private UserRecords() {}

  /** At least one record, whatever the data are. */
  static Count in(byte[] data) {
    Count whole = new Count(1, data.length);
    int bodyLength = data.length - MAGIC.length - MD5_BYTES;
    if (bodyLength <= 0 || !ByteBuffer.wrap(data, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
      return whole;
    }
    ByteBuffer body = ByteBuffer.wrap(data, MAGIC.length, bodyLength);
    ByteBuffer trailer = ByteBuffer.wrap(data, MAGIC.length + bodyLength, MD5_BYTES);
    if (!trailer.equals(md5(body.duplicate()))) {
      return whole;
    }
    UserRecords records = new UserRecords();
    try {
      records.aggregate(body);
    } catch (NotSound | CharacterCodingException | BufferUnderflowException broken) {
      return whole;
    }
    boolean sound =
        records.members > 0 && records.partitionKeys.suffices() && records.hashKeys.suffices();
    return sound ? new Count(records.members, records.bytes) : whole;
  }

  private static ByteBuffer md5(ByteBuffer bytes) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      md5.update(bytes);
      return ByteBuffer.wrap(md5.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  private void aggregate(ByteBuffer body) throws NotSound, CharacterCodingException {
    while (body.hasRemaining()) {
      long tag = tag(body);
      switch ((int) (tag >>> 3)) {
        case 1 -> partitionKeys.add(bytes(body, tag));
        case 2 -> hashKeys.add(bytes(body, tag));
        case 3 -> member(bytes(body, tag));
        default -> pass(body, tag);
      }
    }
  }

  private void member(ByteBuffer member) throws NotSound {
    boolean keyed = false;
    OptionalInt size = OptionalInt.empty();
    while (member.hasRemaining()) {
      long tag = tag(member);
      switch ((int) (tag >>> 3)) {
        case 1 -> {
          partitionKeys.pointedInto(number(member, tag));
          keyed = true;
        }
        case 2 -> hashKeys.pointedInto(number(member, tag));
        case 3 -> size = OptionalInt.of(bytes(member, tag).remaining());
        case 4 -> bytes(member, tag);
        default -> pass(member, tag);
      }
    }
    if (!keyed || size.isEmpty()) {
      throw new NotSound("a member without its key or its data");
    }
    members++;
    bytes += size.getAsInt();
  }

  private static long tag(ByteBuffer in) throws NotSound {
    long tag = varint(in);
    if (tag < 1 << 3 || tag >= 1L << Integer.SIZE) {
      throw new NotSound("no tag");
    }
    return tag;
  }

  private static long number(ByteBuffer in, long tag) throws NotSound {
    expect(VARINT, tag);
    return varint(in);
  }

  private static ByteBuffer bytes(ByteBuffer in, long tag) throws NotSound {
    expect(BYTES, tag);
    long length = varint(in);
    if (length < 0 || length > in.remaining()) {
      throw new NotSound("a field longer than what is left");
    }
    ByteBuffer field = in.slice(in.position(), (int) length);
    in.position(in.position() + (int) length);
    return field;
  }

  private static void pass(ByteBuffer in, long tag) throws NotSound {
    switch ((int) (tag & 7)) {
      case VARINT -> varint(in);
      case FIXED_64 -> in.getLong();
      case BYTES -> bytes(in, tag);
      case FIXED_32 -> in.getInt();
      default -> throw new NotSound("a group, or no wire type");
    }
  }

  private static void expect(int wireType, long tag) throws NotSound {
    if ((tag & 7) != wireType) {
      throw new NotSound("another wire type");
    }
  }

  private static long varint(ByteBuffer in) throws NotSound {
    long value = 0;
    for (int i = 0; i < LONGEST_VARINT; i++) {
      byte next = in.get();
      value |= (next & 0x7fL) << (7 * i);
      if (next >= 0) {
        return value;
      }
    }
    throw new NotSound("a number beyond 64 bits");
  }
}
