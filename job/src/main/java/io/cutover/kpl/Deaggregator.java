package io.cutover.kpl;

import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Aggregate.Member;
import io.cutover.kpl.Deaggregated.Kind;
import io.cutover.lineage.HashRange;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Turns the Kinesis records of one shard into user records: a KPL aggregate into its members, any
 * other record into itself.
 *
 * <p>Loses nothing. What bears the magic and cannot be unpacked to the last byte is passed through
 * whole and counted, never dropped and never partly emitted. An aggregate of no members would
 * vanish if it were unpacked, so it counts as malformed as well. Members that route to another
 * shard (a reshard between the producer's batching and its put leaves such) are kept and counted,
 * where KCL drops the whole aggregate; so are members whose explicit hash key is no number or too
 * large, for these route to no shard at all: their text is copied as it stands.
 *
 * <p>Unpacks one level: an aggregate inside a member is that member's data. A plain record's data
 * is passed on by reference, a member's is copied out of the aggregate once.
 *
 * <p>Runs on the TaskManager, one per shard; not thread-safe. Throws on no input.
 */
public final class Deaggregator {

  private static final byte[] MAGIC = {(byte) 0xF3, (byte) 0x89, (byte) 0x9A, (byte) 0xC2};
  private static final int MD5_BYTES = 16;

  private final String shardId;
  private final MessageDigest md5 = md5();
  private final OwnedKeys owned;

  /**
   * @param shardId the shard that all records come from
   * @param range the hash keys that this shard owns
   */
  public Deaggregator(String shardId, HashRange range) {
    this.shardId = shardId;
    this.owned = new OwnedKeys(range, md5);
  }

  /** All user records that the Kinesis record holds, at least one. */
  public Deaggregated take(KinesisRecord record) {
    byte[] data = record.data();
    if (!hasMagic(data)) {
      return whole(record, Kind.PLAIN);
    }
    int bodyLength = data.length - MAGIC.length - MD5_BYTES;
    if (bodyLength < 0 || !trailerMatches(data, bodyLength)) {
      return whole(record, Kind.MALFORMED);
    }
    try {
      Aggregate aggregate = AggregateParser.parse(data, MAGIC.length, bodyLength);
      return aggregate.members().isEmpty()
          ? whole(record, Kind.MALFORMED)
          : members(record, aggregate);
    } catch (IOException broken) {
      return whole(record, Kind.MALFORMED);
    }
  }

  private static boolean hasMagic(byte[] data) {
    return data.length >= MAGIC.length
        && Arrays.equals(data, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  private boolean trailerMatches(byte[] data, int bodyLength) {
    md5.update(data, MAGIC.length, bodyLength);
    return Arrays.equals(md5.digest(), 0, MD5_BYTES, data, data.length - MD5_BYTES, data.length);
  }

  private Deaggregated whole(KinesisRecord record, Kind kind) {
    UserRecord itself =
        new UserRecord(
            new Origin(shardId, record.sequenceNumber(), OptionalInt.empty()),
            record.partitionKey(),
            Optional.empty(),
            record.arrivalMillis(),
            record.data());
    return new Deaggregated(List.of(itself), kind, 0);
  }

  private Deaggregated members(KinesisRecord record, Aggregate aggregate) {
    List<Member> members = aggregate.members();
    List<UserRecord> records = new ArrayList<>(members.size());
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      OptionalInt hashKey = member.explicitHashKey();
      records.add(
          new UserRecord(
              new Origin(shardId, record.sequenceNumber(), OptionalInt.of(i)),
              aggregate.partitionKeys().get(member.partitionKey()),
              hashKey.isPresent()
                  ? aggregate.explicitHashKeys().get(hashKey.getAsInt())
                  : Optional.empty(),
              record.arrivalMillis(),
              member.data()));
    }
    return new Deaggregated(
        Collections.unmodifiableList(records), Kind.AGGREGATE, outOfRange(aggregate));
  }

  /** Hashes a key once, however many members share it. */
  private int outOfRange(Aggregate aggregate) {
    int[] byPartitionKey = new int[aggregate.partitionKeys().size()];
    int[] byExplicitHashKey = new int[aggregate.explicitHashKeys().size()];
    for (Member member : aggregate.members()) {
      if (member.explicitHashKey().isPresent()) {
        byExplicitHashKey[member.explicitHashKey().getAsInt()]++;
      } else {
        byPartitionKey[member.partitionKey()]++;
      }
    }
    int outOfRange = 0;
    for (int i = 0; i < byPartitionKey.length; i++) {
      if (byPartitionKey[i] > 0
          && !owned.containsPartitionKey(aggregate.partitionKeys().get(i).orElseThrow())) {
        outOfRange += byPartitionKey[i];
      }
    }
    for (int i = 0; i < byExplicitHashKey.length; i++) {
      if (byExplicitHashKey[i] > 0
          && !owned.containsExplicitHashKey(aggregate.explicitHashKeys().get(i).orElseThrow())) {
        outOfRange += byExplicitHashKey[i];
      }
    }
    return outOfRange;
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java runtime must offer MD5", impossible);
    }
  }
}
