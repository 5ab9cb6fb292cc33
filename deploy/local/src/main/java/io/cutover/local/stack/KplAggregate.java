package io.cutover.local.stack;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes user records into one Kinesis record as the Kinesis Producer Library does: magic,
 * protobuf {@code AggregatedRecord}, MD5 of the protobuf.
 *
 * <p>Written from the format's description and shares nothing with the job that takes aggregates
 * apart. Tags are not written.
 */
public final class KplAggregate {
  private static final byte[] MAGIC = {(byte) 0xF3, (byte) 0x89, (byte) 0x9A, (byte) 0xC2};

  // Field numbers of AggregatedRecord.
  private static final int PARTITION_KEY_TABLE = 1;
  private static final int EXPLICIT_HASH_KEY_TABLE = 2;
  private static final int RECORDS = 3;

  // Field numbers of Record.
  private static final int PARTITION_KEY_INDEX = 1;
  private static final int EXPLICIT_HASH_KEY_INDEX = 2;
  private static final int DATA = 3;

  private final Map<String, Integer> partitionKeys = new LinkedHashMap<>();
  private final Map<String, Integer> explicitHashKeys = new LinkedHashMap<>();
  private final List<Member> members = new ArrayList<>();

  private record Member(int partitionKey, Optional<Integer> explicitHashKey, ByteString data) {
    void writeTo(CodedOutputStream out) throws IOException {
      int size =
          CodedOutputStream.computeUInt64Size(PARTITION_KEY_INDEX, partitionKey)
              + CodedOutputStream.computeBytesSize(DATA, data);
      if (explicitHashKey.isPresent()) {
        size += CodedOutputStream.computeUInt64Size(EXPLICIT_HASH_KEY_INDEX, explicitHashKey.get());
      }
      out.writeTag(RECORDS, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(size);
      out.writeUInt64(PARTITION_KEY_INDEX, partitionKey);
      if (explicitHashKey.isPresent()) {
        out.writeUInt64(EXPLICIT_HASH_KEY_INDEX, explicitHashKey.get());
      }
      out.writeBytes(DATA, data);
    }
  }

  /** Adds a user record; its sub-sequence number is the count of those before it. */
  public KplAggregate add(String partitionKey, byte[] data) {
    return add(partitionKey, Optional.empty(), data);
  }

  /** As {@link #add(String, byte[])}, with a hash key of its own. */
  public KplAggregate add(String partitionKey, Optional<BigInteger> explicitHashKey, byte[] data) {
    members.add(
        new Member(
            index(partitionKeys, partitionKey),
            explicitHashKey.map(key -> index(explicitHashKeys, key.toString())),
            ByteString.copyFrom(data)));
    return this;
  }

  /** How many user records it holds. */
  public int size() {
    return members.size();
  }

  /** The data of the Kinesis record. */
  public byte[] encode() {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(body);
      for (String key : partitionKeys.keySet()) {
        out.writeString(PARTITION_KEY_TABLE, key);
      }
      for (String key : explicitHashKeys.keySet()) {
        out.writeString(EXPLICIT_HASH_KEY_TABLE, key);
      }
      for (Member member : members) {
        member.writeTo(out);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("A byte array refused to be written", e);
    }
    byte[] protobuf = body.toByteArray();
    ByteArrayOutputStream whole = new ByteArrayOutputStream(protobuf.length + 20);
    whole.writeBytes(MAGIC);
    whole.writeBytes(protobuf);
    whole.writeBytes(md5(protobuf));
    return whole.toByteArray();
  }

  static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java runtime has MD5", e);
    }
  }

  private static int index(Map<String, Integer> table, String key) {
    return table.computeIfAbsent(key, ignored -> table.size());
  }
}
