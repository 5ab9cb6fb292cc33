package io.cutover.reconcile.verdict;

import java.util.List;
import java.util.Optional;

/**
 * Something that a reconciliation found.
 *
 * @param forces the best verdict that can still be given with it; absent where it is only worth
 *     knowing
 * @param count how many, of what the text tells
 * @param text a sentence or two: what was found, what was expected, what to do
 * @param samples the first of them, each in one line with its shard, sequence number, partition and
 *     offset where it has them
 */
public record Finding(
    FindingCode code, Optional<Verdict> forces, long count, String text, List<String> samples) {

  public Finding {
    samples = List.copyOf(samples);
  }

  /** One without samples. */
  public static Finding of(FindingCode code, Optional<Verdict> forces, long count, String text) {
    return new Finding(code, forces, count, text, List.of());
  }
}
