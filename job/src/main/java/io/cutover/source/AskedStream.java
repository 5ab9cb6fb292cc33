package io.cutover.source;

import io.cutover.kinesis.KinesisStream;
import java.time.Duration;
import java.time.Instant;

/** The server's word on the stream's age, asked only when a reading looks overtaken. */
record AskedStream(KinesisStream stream) implements RetentionGuard.Witness {

  @Override
  public Duration retention() {
    return stream.describe().retention();
  }

  @Override
  public boolean wasOpenAt(String shardId, Instant instant) {
    return stream.shardsOpenAt(instant).stream().anyMatch(shard -> shard.id().equals(shardId));
  }
}
