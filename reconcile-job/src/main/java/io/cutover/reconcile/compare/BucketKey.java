package io.cutover.reconcile.compare;

import java.util.Comparator;

/**
 * One window of one shard.
 *
 * @param window its index; -1 is the last before T
 */
public record BucketKey(String shard, long window) implements Comparable<BucketKey> {

  private static final Comparator<BucketKey> ORDER =
      Comparator.comparing(BucketKey::shard).thenComparing(BucketKey::window);

  @Override
  public int compareTo(BucketKey other) {
    return ORDER.compare(this, other);
  }
}
