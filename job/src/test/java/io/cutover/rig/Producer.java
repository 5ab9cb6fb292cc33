package io.cutover.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.kpl.KplBlob;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.PutSpec;
import io.cutover.local.kinesis.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Writes to an emulated stream and remembers each user record, which is all the oracle knows. */
public final class Producer {

  /** A user record as it was written, and where. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Written(
      String shardId,
      String sequence,
      OptionalInt subSequence,
      Optional<String> key,
      Optional<String> explicitHashKey,
      Instant arrival,
      byte[] data) {

    /** Shard, sequence number and sub-sequence number. */
    public String origin() {
      return shardId
          + "/"
          + sequence
          + subSequence.stream().mapToObj(i -> "/" + i).findFirst().orElse("");
    }
  }

  private final EmulatedStream stream;
  private final List<Written> written = new ArrayList<>();

  public Producer(EmulatedStream stream) {
    this.stream = stream;
  }

  public EmulatedStream stream() {
    return stream;
  }

  /** Everything written so far, in writing order. */
  public List<Written> written() {
    return written;
  }

  public void put(String shardId, Optional<String> key, byte[] data, Instant arrival) {
    StoredRecord stored = stream.put(shardId, new PutSpec(key, Optional.empty(), data, arrival));
    written.add(
        new Written(
            shardId,
            stored.sequenceNumber(),
            OptionalInt.empty(),
            key,
            Optional.empty(),
            arrival,
            data));
  }

  public void put(String shardId, String key, String data, Instant arrival) {
    put(shardId, Optional.of(key), data.getBytes(UTF_8), arrival);
  }

  /** Plain records of a few keys, evenly spaced from an instant on. */
  public void fill(String shardId, int count, Instant from, Duration step) {
    for (int i = 0; i < count; i++) {
      put(shardId, "key-" + i % 13, shardId + " #" + i, from.plus(step.multipliedBy(i)));
    }
  }

  /** An aggregate; its outer key is the meaningless one that KPL gives. */
  public void aggregate(String shardId, List<KplBlob.Member> members, Instant arrival) {
    StoredRecord stored = stream.put(shardId, PutSpec.of("a", KplBlob.of(members), arrival));
    for (int i = 0; i < members.size(); i++) {
      KplBlob.Member member = members.get(i);
      written.add(
          new Written(
              shardId,
              stored.sequenceNumber(),
              OptionalInt.of(i),
              Optional.of(member.partitionKey()),
              member.explicitHashKey(),
              arrival,
              member.data()));
    }
  }

  /** What it comes to where a blob is no sound aggregate: a plain record. */
  public void blob(String shardId, byte[] blob, Instant arrival) {
    put(shardId, Optional.of("a"), blob, arrival);
  }
}
