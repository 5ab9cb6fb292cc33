package io.cutover.local.kinesis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * Where reading goes on, as the shard iterators carry it: the token is opaque to the client and the
 * server keeps nothing of it.
 *
 * @param next the index in the shard's log of the next record to be read
 * @param trimmed whether the record that the position was asked for had been trimmed already
 * @param emptyEndPages the empty pages already answered at the closed end
 */
record ShardPosition(
    String stream, String shardId, int next, boolean trimmed, int emptyEndPages, Instant issuedAt) {

  static final Duration LIFE = Duration.ofMinutes(5);

  String token() {
    String text =
        String.join(
            "|",
            stream,
            shardId,
            Integer.toString(next),
            Boolean.toString(trimmed),
            Integer.toString(emptyEndPages),
            Long.toString(issuedAt.toEpochMilli()));
    return Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static ShardPosition parse(String token) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      String[] part = text.split("\\|", -1);
      return new ShardPosition(
          part[0],
          part[1],
          Integer.parseInt(part[2]),
          Boolean.parseBoolean(part[3]),
          Integer.parseInt(part[4]),
          Instant.ofEpochMilli(Long.parseLong(part[5])));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw KinesisError.invalidArgument("Invalid ShardIterator.");
    }
  }

  void refuseIfExpired(Instant now) {
    if (now.isAfter(issuedAt.plus(LIFE))) {
      throw KinesisError.expiredIterator(
          "Iterator expired. The iterator was created at time "
              + issuedAt
              + " while right now it is "
              + now
              + " which is further in the future than the tolerated delay of "
              + LIFE.toMillis()
              + " milliseconds.");
    }
  }

  ShardPosition at(int index, int endPages, Instant now) {
    return new ShardPosition(stream, shardId, index, trimmed, endPages, now);
  }
}
