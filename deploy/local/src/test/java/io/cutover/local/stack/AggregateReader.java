package io.cutover.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Reads KPL aggregates byte by byte, after the description of the format and no one's code. */
final class AggregateReader {
  private static final byte[] MAGIC = HexFormat.of().parseHex("f3899ac2");

  private final byte[] bytes;
  private int at;

  private AggregateReader(byte[] bytes) {
    this.bytes = bytes;
  }

  record Member(String partitionKey, Optional<String> explicitHashKey, String data) {}

  static boolean isAggregate(byte[] data) {
    return data.length > 20 && Arrays.equals(data, 0, 4, MAGIC, 0, 4);
  }

  static List<Member> members(byte[] data) throws Exception {
    assertThat(isAggregate(data)).isTrue();
    byte[] body = Arrays.copyOfRange(data, 4, data.length - 16);
    assertThat(MessageDigest.getInstance("MD5").digest(body))
        .isEqualTo(Arrays.copyOfRange(data, data.length - 16, data.length));
    return new AggregateReader(body).aggregate();
  }

  private List<Member> aggregate() {
    List<String> keys = new ArrayList<>();
    List<String> hashKeys = new ArrayList<>();
    List<byte[]> records = new ArrayList<>();
    while (at < bytes.length) {
      int tag = (int) varint();
      switch (tag) {
        case 1 << 3 | 2 -> keys.add(string(chunk()));
        case 2 << 3 | 2 -> hashKeys.add(string(chunk()));
        case 3 << 3 | 2 -> records.add(chunk());
        default -> throw new AssertionError("unknown tag " + tag);
      }
    }
    List<Member> members = new ArrayList<>();
    for (byte[] each : records) {
      members.add(new AggregateReader(each).member(keys, hashKeys));
    }
    return members;
  }

  private Member member(List<String> keys, List<String> hashKeys) {
    Optional<String> key = Optional.empty();
    Optional<String> hashKey = Optional.empty();
    Optional<String> data = Optional.empty();
    while (at < bytes.length) {
      int tag = (int) varint();
      switch (tag) {
        case 1 << 3 -> key = Optional.of(keys.get((int) varint()));
        case 2 << 3 -> hashKey = Optional.of(hashKeys.get((int) varint()));
        case 3 << 3 | 2 -> data = Optional.of(string(chunk()));
        default -> throw new AssertionError("unknown tag " + tag);
      }
    }
    return new Member(key.orElseThrow(), hashKey, data.orElseThrow());
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private byte[] chunk() {
    int length = (int) varint();
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  private static String string(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
