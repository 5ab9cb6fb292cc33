package io.cutover.reconcile.side;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Counts, and keeps the first few. */
final class SampledCounter {

  private long count;
  private final List<String> samples = new ArrayList<>();

  void add(Supplier<String> sample) {
    count++;
    if (samples.size() < Sampled.MOST) {
      samples.add(sample.get());
    }
  }

  Sampled sampled() {
    return new Sampled(count, samples);
  }
}
