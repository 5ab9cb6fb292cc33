package io.cutover.local.kinesis;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One stream: its settings, its shards and what can be done to them from outside of AWS's API. */
public final class EmulatedStream {

  static final BigInteger KEYS = BigInteger.ONE.shiftLeft(128);

  /** How the stream's capacity is set. */
  public enum Mode {
    PROVISIONED,
    ON_DEMAND
  }

  private final String name;
  private final Instant creationTime;
  private final EmulatorClock clock;
  private final List<EmulatedShard> shards = new ArrayList<>();

  private long tick;
  private Instant explicitHorizon = Instant.MIN;
  private volatile Duration retention = Duration.ofHours(24);
  private volatile Mode mode = Mode.PROVISIONED;
  private volatile String status = "ACTIVE";
  private volatile Optional<String> distributionStrategy = Optional.empty();
  private volatile int maxRecordSizeKiB = 1024;
  private volatile ReadStyle readStyle = ReadStyle.AWS;
  private volatile int listingPage = 1000;

  EmulatedStream(String name, int shardCount, Instant creationTime, EmulatorClock clock) {
    this.name = name;
    this.creationTime = creationTime;
    this.clock = clock;
    BigInteger share = KEYS.divide(BigInteger.valueOf(shardCount));
    for (int i = 0; i < shardCount; i++) {
      BigInteger start = share.multiply(BigInteger.valueOf(i));
      BigInteger end = i == shardCount - 1 ? KEYS : start.add(share);
      open(List.of(), start, end.subtract(BigInteger.ONE), creationTime);
    }
  }

  public String name() {
    return name;
  }

  public String arn() {
    return "arn:aws:kinesis:us-east-1:000000000000:stream/" + name;
  }

  public Instant creationTime() {
    return creationTime;
  }

  /** Every shard there ever was, closed, expired and vanished ones too, in order of creation. */
  public synchronized List<EmulatedShard> shards() {
    return List.copyOf(shards);
  }

  public EmulatedShard shard(String id) {
    return shards().stream()
        .filter(shard -> shard.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("stream " + name + " has no shard " + id));
  }

  public List<EmulatedShard> openShards() {
    return shards().stream().filter(shard -> !shard.closed() && !shard.vanished()).toList();
  }

  /** Stores a record in a shard that is open, whatever its key says. */
  public synchronized StoredRecord put(String shardId, PutSpec spec) {
    return shard(shardId).append(spec, ++tick);
  }

  /** Stores a record in the open shard that owns its hash key. */
  public synchronized StoredRecord putByKey(PutSpec spec) {
    BigInteger hashKey =
        spec.explicitHashKey().orElseGet(() -> hashKey(spec.partitionKey().orElse("")));
    for (EmulatedShard shard : shards) {
      if (shard.owns(hashKey) && !shard.closed()) {
        return shard.append(spec, ++tick);
      }
    }
    throw new IllegalStateException(
        "stream " + name + " has no open shard for hash key " + hashKey);
  }

  /** Closes a shard and opens two in its place, each with half of its hash keys, now. */
  public List<EmulatedShard> split(String shardId) {
    return split(shardId, clock.instant());
  }

  /** As {@link #split(String)}, dated: the instant is told by filters and moves the expiry. */
  public List<EmulatedShard> split(String shardId, Instant at) {
    EmulatedShard parent = shard(shardId);
    BigInteger half = parent.start().add(parent.end()).add(BigInteger.ONE).shiftRight(1);
    return split(shardId, half, at);
  }

  /** Splits a shard where the second child shall start, now. */
  public List<EmulatedShard> split(String shardId, BigInteger newStartingHashKey) {
    return split(shardId, newStartingHashKey, clock.instant());
  }

  /** As {@link #split(String, BigInteger)}, dated. */
  public synchronized List<EmulatedShard> split(
      String shardId, BigInteger newStartingHashKey, Instant at) {
    EmulatedShard parent = openShard(shardId);
    if (newStartingHashKey.compareTo(parent.start()) <= 0
        || newStartingHashKey.compareTo(parent.end()) > 0) {
      throw KinesisError.invalidArgument(
          "NewStartingHashKey " + newStartingHashKey + " lies outside of shard " + shardId);
    }
    parent.close(at, ++tick);
    List<String> parents = List.of(shardId);
    return List.of(
        open(parents, parent.start(), newStartingHashKey.subtract(BigInteger.ONE), at),
        open(parents, newStartingHashKey, parent.end(), at));
  }

  /** Closes two shards with adjacent hash ranges and opens one in their place, now. */
  public EmulatedShard merge(String shardId, String adjacentShardId) {
    return merge(shardId, adjacentShardId, clock.instant());
  }

  /** As {@link #merge(String, String)}, dated. */
  public synchronized EmulatedShard merge(String shardId, String adjacentShardId, Instant at) {
    EmulatedShard one = openShard(shardId);
    EmulatedShard two = openShard(adjacentShardId);
    boolean ordered = one.end().add(BigInteger.ONE).equals(two.start());
    if (!ordered && !two.end().add(BigInteger.ONE).equals(one.start())) {
      throw KinesisError.invalidArgument(
          "Shards " + shardId + " and " + adjacentShardId + " are not adjacent");
    }
    one.close(at, ++tick);
    two.close(at, ++tick);
    EmulatedShard low = ordered ? one : two;
    EmulatedShard high = ordered ? two : one;
    return open(List.of(shardId, adjacentShardId), low.start(), high.end(), at);
  }

  /** How long records are kept. Raising it revives nothing that has been trimmed. */
  public synchronized EmulatedStream retention(Duration kept) {
    trim();
    retention = kept;
    return this;
  }

  public Duration retention() {
    return retention;
  }

  /** StreamStatus as told by DescribeStreamSummary; nothing else depends on it. */
  public EmulatedStream status(String told) {
    status = told;
    return this;
  }

  String status() {
    return status;
  }

  public EmulatedStream mode(Mode capacityMode) {
    mode = capacityMode;
    return this;
  }

  public Mode mode() {
    return mode;
  }

  /** USER_PARTITION_KEY or AUTO as told by DescribeStreamSummary; empty leaves the field out. */
  public EmulatedStream distributionStrategy(Optional<String> strategy) {
    distributionStrategy = strategy;
    return this;
  }

  public Optional<String> distributionStrategy() {
    return distributionStrategy;
  }

  public EmulatedStream maxRecordSizeKiB(int kib) {
    maxRecordSizeKiB = kib;
    return this;
  }

  public int maxRecordSizeKiB() {
    return maxRecordSizeKiB;
  }

  /** The most shards on a page of ListShards that does not ask for a size; 1000 is AWS's. */
  public EmulatedStream listingPage(int shardsAPage) {
    listingPage = shardsAPage;
    return this;
  }

  int listingPage() {
    return listingPage;
  }

  /** How GetRecords answers where servers differ. */
  public EmulatedStream readStyle(ReadStyle style) {
    readStyle = style;
    return this;
  }

  public ReadStyle readStyle() {
    return readStyle;
  }

  /** Moves the trim horizon to an instant ahead of what the retention alone would give. */
  public synchronized void trimBefore(Instant instant) {
    if (instant.isAfter(explicitHorizon)) {
      explicitHorizon = instant;
    }
    trim();
  }

  /** Makes a shard unknown to every action, as if it had never been. */
  public void vanish(String shardId) {
    shard(shardId).vanish();
  }

  /** The arrival before which records are gone. */
  public synchronized Instant horizon() {
    Instant byAge = clock.instant().minus(retention);
    return byAge.isAfter(explicitHorizon) ? byAge : explicitHorizon;
  }

  /** The shards that the API knows of, after trimming: neither expired nor vanished. */
  synchronized List<EmulatedShard> listed() {
    trim();
    Instant horizon = horizon();
    return shards.stream().filter(s -> !s.vanished() && !s.expired(horizon)).toList();
  }

  /** Trims every shard up to the horizon of this moment. */
  synchronized void trim() {
    Instant horizon = horizon();
    shards.forEach(shard -> shard.trim(horizon));
  }

  List<EmulatedShard> childrenOf(EmulatedShard parent) {
    Optional<String> id = Optional.of(parent.id());
    return shards().stream()
        .filter(child -> child.parent().equals(id) || child.adjacentParent().equals(id))
        .toList();
  }

  /** The MD5 of a partition key in UTF-8 as an unsigned number of 128 bits. */
  static BigInteger hashKey(String partitionKey) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      return new BigInteger(1, md5.digest(partitionKey.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has MD5", e);
    }
  }

  private EmulatedShard openShard(String shardId) {
    EmulatedShard shard = shard(shardId);
    if (shard.closed()) {
      throw KinesisError.invalidArgument("Shard " + shardId + " is closed");
    }
    return shard;
  }

  private EmulatedShard open(
      List<String> parents, BigInteger start, BigInteger end, Instant createdAt) {
    EmulatedShard shard = new EmulatedShard(shards.size(), parents, start, end, createdAt, ++tick);
    shards.add(shard);
    return shard;
  }
}
