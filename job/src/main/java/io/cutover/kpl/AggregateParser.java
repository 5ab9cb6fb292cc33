package io.cutover.kpl;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.cutover.kpl.Aggregate.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the protobuf body of a KPL aggregate:
 *
 * <pre>
 * message AggregatedRecord {
 *   repeated string partition_key_table     = 1;
 *   repeated string explicit_hash_key_table = 2;
 *   repeated Record records                 = 3;
 * }
 * message Record {
 *   required uint64 partition_key_index     = 1;
 *   optional uint64 explicit_hash_key_index = 2;
 *   required bytes  data                    = 3;
 *   repeated Tag    tags                    = 4;
 * }
 * </pre>
 *
 * <p>Stricter than a generated parser wherever that one would lose something without a word: a
 * known field of a foreign wire type, a group, a length or tag beyond its 32 bits and text that is
 * not UTF-8 are errors. As lenient with what carries no record: unknown fields and tags are
 * skipped, fields may stand in any order, and of a field given twice the last counts. No length is
 * believed before the bytes are seen to be there.
 */
final class AggregateParser {

  private static final int PARTITION_KEY_TABLE = 1;
  private static final int EXPLICIT_HASH_KEY_TABLE = 2;
  private static final int RECORDS = 3;

  private static final int PARTITION_KEY_INDEX = 1;
  private static final int EXPLICIT_HASH_KEY_INDEX = 2;
  private static final int DATA = 3;
  private static final int TAGS = 4;

  private final List<Optional<String>> partitionKeys = new ArrayList<>();
  private final List<Optional<String>> explicitHashKeys = new ArrayList<>();
  private final List<Member> members = new ArrayList<>();

  private AggregateParser() {}

  /**
   * The aggregate whose body is the given span of the blob.
   *
   * @throws IOException if the body is broken or points outside its tables
   */
  static Aggregate parse(byte[] blob, int offset, int length) throws IOException {
    AggregateParser parser = new AggregateParser();
    // Twice, because the tables may stand behind the records that point into them.
    parser.readTables(body(blob, offset, length));
    parser.readMembers(body(blob, offset, length));
    return new Aggregate(parser.partitionKeys, parser.explicitHashKeys, parser.members);
  }

  private static CodedInputStream body(byte[] blob, int offset, int length) throws IOException {
    CodedInputStream body = CodedInputStream.newInstance(blob, offset, length);
    body.pushLimit(length);
    return body;
  }

  private void readTables(CodedInputStream body) throws IOException {
    while (!body.isAtEnd()) {
      int tag = tag(body);
      switch (WireFormat.getTagFieldNumber(tag)) {
        case PARTITION_KEY_TABLE -> partitionKeys.add(Optional.of(text(body, tag)));
        case EXPLICIT_HASH_KEY_TABLE -> explicitHashKeys.add(Optional.of(text(body, tag)));
        default -> skip(body, tag);
      }
    }
  }

  private void readMembers(CodedInputStream body) throws IOException {
    while (!body.isAtEnd()) {
      int tag = tag(body);
      if (WireFormat.getTagFieldNumber(tag) == RECORDS) {
        int outer = body.pushLimit(length(body, tag));
        members.add(member(body));
        body.popLimit(outer);
      } else {
        skip(body, tag);
      }
    }
  }

  private Member member(CodedInputStream member) throws IOException {
    OptionalInt partitionKey = OptionalInt.empty();
    OptionalInt explicitHashKey = OptionalInt.empty();
    Optional<byte[]> data = Optional.empty();
    while (!member.isAtEnd()) {
      int tag = tag(member);
      switch (WireFormat.getTagFieldNumber(tag)) {
        case PARTITION_KEY_INDEX -> partitionKey = index(member, tag, partitionKeys.size());
        case EXPLICIT_HASH_KEY_INDEX ->
            explicitHashKey = index(member, tag, explicitHashKeys.size());
        case DATA -> data = Optional.of(member.readRawBytes(length(member, tag)));
        case TAGS -> member.skipRawBytes(length(member, tag));
        default -> skip(member, tag);
      }
    }
    if (partitionKey.isEmpty() || data.isEmpty()) {
      throw new InvalidProtocolBufferException("a member lacks its partition key or its data");
    }
    return new Member(partitionKey.getAsInt(), explicitHashKey, data.get());
  }

  private static int tag(CodedInputStream in) throws IOException {
    // Not readTag(): it drops what is above 32 bits.
    long tag = in.readRawVarint64();
    if (tag >>> Integer.SIZE != 0 || WireFormat.getTagFieldNumber((int) tag) == 0) {
      throw new InvalidProtocolBufferException("no tag: " + Long.toUnsignedString(tag));
    }
    return (int) tag;
  }

  private static int length(CodedInputStream in, int tag) throws IOException {
    expect(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    long length = in.readRawVarint64();
    if (Long.compareUnsigned(length, in.getBytesUntilLimit()) > 0) {
      throw new InvalidProtocolBufferException(
          "a field of "
              + Long.toUnsignedString(length)
              + " bytes where only "
              + in.getBytesUntilLimit()
              + " are left");
    }
    return (int) length;
  }

  private static OptionalInt index(CodedInputStream in, int tag, int tableSize) throws IOException {
    expect(tag, WireFormat.WIRETYPE_VARINT);
    long index = in.readRawVarint64();
    if (Long.compareUnsigned(index, tableSize) >= 0) {
      throw new InvalidProtocolBufferException(
          "index " + Long.toUnsignedString(index) + " into a table of " + tableSize);
    }
    return OptionalInt.of((int) index);
  }

  private static String text(CodedInputStream in, int tag) throws IOException {
    byte[] utf8 = in.readRawBytes(length(in, tag));
    String text = new String(utf8, UTF_8);
    // Java decodes anything, with replacement characters: what comes back tells.
    if (!Arrays.equals(utf8, text.getBytes(UTF_8))) {
      throw new InvalidProtocolBufferException("a key that is not UTF-8");
    }
    return text;
  }

  private static void skip(CodedInputStream in, int tag) throws IOException {
    switch (WireFormat.getTagWireType(tag)) {
      case WireFormat.WIRETYPE_VARINT -> in.readRawVarint64();
      case WireFormat.WIRETYPE_FIXED64 -> in.skipRawBytes(Long.BYTES);
      case WireFormat.WIRETYPE_LENGTH_DELIMITED -> in.skipRawBytes(length(in, tag));
      case WireFormat.WIRETYPE_FIXED32 -> in.skipRawBytes(Integer.BYTES);
      default -> throw new InvalidProtocolBufferException("wire type of tag " + tag);
    }
  }

  private static void expect(int tag, int wireType) throws IOException {
    if (WireFormat.getTagWireType(tag) != wireType) {
      throw new InvalidProtocolBufferException("wire type of tag " + tag + " is not " + wireType);
    }
  }
}
