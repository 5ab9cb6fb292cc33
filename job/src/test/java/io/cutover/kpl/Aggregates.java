package io.cutover.kpl;

import io.cutover.kpl.Given.Written;
import io.cutover.lineage.HashRange;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** What producers write, and the ways to write it. */
final class Aggregates {

  private Aggregates() {}

  /** 1 to 200 members, some of them sharing their keys, all of them within some shard. */
  static Arbitrary<List<Written>> members() {
    return members(200);
  }

  static Arbitrary<List<Written>> members(int atMost) {
    return Combinators.combine(partitionKeys(), hashKeys().injectNull(0.5), payloads())
        .as((key, hashKey, data) -> new Written(key, Optional.ofNullable(hashKey), data))
        .list()
        .ofMinSize(1)
        .ofMaxSize(atMost)
        .withoutEdgeCases(); // they are among the keys and payloads; lists of them add nothing
  }

  /** Kinesis's bounds, and beyond: empty, and characters of one to four bytes. */
  private static Arbitrary<String> partitionKeys() {
    Arbitrary<String> unicode =
        Arbitraries.integers()
            .between(0, Character.MAX_CODE_POINT)
            .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
            .map(Character::toString)
            .list()
            .ofMaxSize(40)
            .map(characters -> String.join("", characters));
    Arbitrary<String> longest = Arbitraries.strings().alpha().ofLength(256);
    return Arbitraries.oneOf(
        unicode, longest, Arbitraries.of("", "a", "b", "\u00fc", "\ud83d\ude80"));
  }

  private static Arbitrary<String> hashKeys() {
    return Arbitraries.oneOf(
        Arbitraries.bigIntegers().between(BigInteger.ZERO, HashRange.MAX).map(BigInteger::toString),
        Arbitraries.of("0", "7", HashRange.MAX.toString()));
  }

  private static Arbitrary<byte[]> payloads() {
    return Arbitraries.oneOf(
        Arbitraries.bytes().array(byte[].class).ofMaxSize(300),
        Arbitraries.of(new byte[0], Wire.MAGIC, new Wire().partitionKey("k").sealed()));
  }

  /** How a producer lays an aggregate out; a reader must not care. */
  enum Layout {
    /** As KPL does: every distinct key once. */
    SHARED_TABLES,
    /** One table entry per member. */
    OWN_ENTRIES,
    /** Members first. */
    TABLES_LAST
  }

  static byte[] blob(List<Written> members, Layout layout) {
    List<String> partitionKeys = new ArrayList<>();
    List<String> hashKeys = new ArrayList<>();
    Wire records = new Wire();
    boolean shared = layout == Layout.SHARED_TABLES;
    for (Written member : members) {
      int partitionKey = entry(partitionKeys, member.partitionKey(), shared);
      if (member.explicitHashKey().isPresent()) {
        int hashKey = entry(hashKeys, member.explicitHashKey().get(), shared);
        records.member(partitionKey, hashKey, member.data());
      } else {
        records.member(partitionKey, member.data());
      }
    }
    Wire tables = new Wire();
    partitionKeys.forEach(tables::partitionKey);
    hashKeys.forEach(tables::explicitHashKey);
    return layout == Layout.TABLES_LAST
        ? Wire.seal(Wire.concat(records.bytes(), tables.bytes()))
        : Wire.seal(Wire.concat(tables.bytes(), records.bytes()));
  }

  private static int entry(List<String> table, String key, boolean shared) {
    int known = shared ? table.indexOf(key) : -1;
    if (known >= 0) {
      return known;
    }
    table.add(key);
    return table.size() - 1;
  }
}
