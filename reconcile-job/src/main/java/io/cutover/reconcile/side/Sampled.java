package io.cutover.reconcile.side;

import java.util.List;
import java.util.stream.Stream;

/**
 * How many of something there are, and where the first of them stand.
 *
 * @param samples each in one line
 */
public record Sampled(long count, List<String> samples) {

  /** So many are shown of each kind. */
  public static final int MOST = 5;

  public static final Sampled NONE = new Sampled(0, List.of());

  public Sampled {
    samples = List.copyOf(samples);
  }

  public Sampled plus(Sampled other) {
    return new Sampled(
        count + other.count,
        Stream.concat(samples.stream(), other.samples.stream()).limit(MOST).toList());
  }
}
