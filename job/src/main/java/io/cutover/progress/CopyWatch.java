package io.cutover.progress;

import io.cutover.pin.Pin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Makes of the counts of {@link CopyCounters}, as they reach the client, how the copy stands. They
 * lag behind by a heartbeat or two, and begin anew when the job restarts: then the rates do too,
 * while the share stays where it was until the copy has come there again. One thread.
 */
public final class CopyWatch implements Watch {

  private final Pin pin;
  private final InstantSource clock;
  private final CopyPosition position;
  private final SlidingRate records = new SlidingRate();
  private final SlidingRate bytes = new SlidingRate();
  private final SlidingRate share = new SlidingRate();
  private final SlidingRate frontier = new SlidingRate();

  private OptionalInt attempt = OptionalInt.empty();
  private int restarts;

  public CopyWatch(Pin pin, InstantSource clock) {
    this.pin = pin;
    this.clock = clock;
    this.position = new CopyPosition(pin);
  }

  @Override
  public CopyStanding heard(Map<String, Object> counts) {
    if (counts.get(CopyCounters.ATTEMPT) instanceof Integer told) {
      if (attempt.isPresent() && attempt.getAsInt() != told) {
        restarts++;
        records.beginAnew();
        bytes.beginAnew();
      }
      attempt = OptionalInt.of(told);
      Instant now = clock.instant();
      position.heard(positions(counts.get(CopyCounters.POSITIONS)));
      count(counts, CopyCounters.RECORDS, records, now);
      count(counts, CopyCounters.BYTES, bytes, now);
      share.sample(now, position.share());
      position.frontier().ifPresent(at -> frontier.sample(now, at.toEpochMilli() / 1e3));
    }
    return standing();
  }

  private static void count(
      Map<String, Object> counts, String name, SlidingRate rate, Instant now) {
    if (counts.get(name) instanceof Long count) {
      rate.sample(now, count);
    }
  }

  private static Map<String, ShardReached> positions(Object told) {
    Map<String, ShardReached> positions = new HashMap<>();
    if (told instanceof Map<?, ?> map) {
      map.forEach((shard, far) -> positions.put((String) shard, (ShardReached) far));
    }
    return positions;
  }

  private CopyStanding standing() {
    double passed = position.share();
    return new CopyStanding(
        passed,
        position.shardsDone(),
        position.shards(),
        records.perSecond(),
        bytes.perSecond(),
        Standing.timeFor(1 - passed, share.perSecond()),
        position
            .frontier()
            .map(
                at ->
                    Expiry.of(
                        at,
                        pin.boundary(),
                        pin.stream().retention(),
                        frontier.perSecond(),
                        clock.instant()))
            .orElseGet(Expiry.NotBeforeItIsRead::new),
        restarts);
  }
}
