package io.cutover.reconcile;

import io.cutover.progress.CopyWatch;
import io.cutover.progress.SlidingRate;
import io.cutover.progress.Standing;
import io.cutover.progress.Watch;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.side.TopicCounters;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** How far the reading of both sides is; of the topic alone where the stream is not read. */
final class SidesWatch implements Watch {

  private final InstantSource clock;
  private final Optional<CopyWatch> stream;
  private final long allOffsets;
  private final SlidingRate records = new SlidingRate();
  private final SlidingRate share = new SlidingRate();

  SidesWatch(Plan plan, InstantSource clock) {
    this.clock = clock;
    this.stream = plan.rereads() ? Optional.of(new CopyWatch(plan.pin(), clock)) : Optional.empty();
    this.allOffsets =
        plan.facts().offsets().stream().mapToLong(one -> one.end() - one.begin()).sum();
  }

  @Override
  public Standing heard(Map<String, Object> counts) {
    Instant now = clock.instant();
    long offsets = count(counts, TopicCounters.OFFSETS);
    double topicShare = allOffsets == 0 ? 1 : Math.min(1, (double) offsets / allOffsets);
    records.sample(now, (double) count(counts, TopicCounters.RECORDS));
    share.sample(now, topicShare);
    return new OfBoth(
        stream.map(watch -> watch.heard(counts)),
        topicShare,
        records.perSecond(),
        Standing.timeFor(1 - topicShare, share.perSecond()));
  }

  private static long count(Map<String, Object> counts, String name) {
    return counts.get(name) instanceof Long count ? count : 0;
  }

  /**
   * Both sides.
   *
   * @param stream absent where it is not read
   * @param topicShare of the topic's offsets that are passed, 0 to 1
   * @param topicPace records of the topic a second
   */
  private record OfBoth(
      Optional<Standing> stream,
      double topicShare,
      OptionalDouble topicPace,
      Optional<Duration> topicLeft)
      implements Standing {

    /** That of the side which is behind: both are read at the same time. */
    @Override
    public double share() {
      return Math.min(topicShare, stream.map(Standing::share).orElse(1.0));
    }

    @Override
    public String extent() {
      return stream.map(Standing::extent).orElse("topic");
    }

    /** Of the side that needs longer; absent while it is not known of both. */
    @Override
    public Optional<Duration> left() {
      Optional<Duration> streamLeft = stream.map(Standing::left).orElse(Optional.of(Duration.ZERO));
      return topicLeft.isPresent() && streamLeft.isPresent()
          ? Stream.of(topicLeft.get(), streamLeft.get()).max(Duration::compareTo)
          : Optional.empty();
    }

    @Override
    public String line() {
      return stream.map(standing -> "stream: " + standing.line() + " | ").orElse("")
          + "topic: "
          + Standing.percent(topicShare)
          + " of its offsets passed; "
          + pace()
          + " records/s";
    }

    @Override
    public String beside() {
      return stream.map(standing -> standing.beside() + ", ").orElse("")
          + "topic "
          + Standing.percent(topicShare)
          + " "
          + pace()
          + "/s";
    }

    private String pace() {
      return topicPace.isPresent()
          ? String.format(Locale.ROOT, "%,.0f", topicPace.getAsDouble())
          : "?";
    }
  }
}
