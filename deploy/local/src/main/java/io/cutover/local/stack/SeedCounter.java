package io.cutover.local.stack;

/** Counts what is seeded while it is. */
final class SeedCounter {
  private long before;
  private long after;
  private long bytes;
  private long plain;
  private long aggregates;
  private long members;

  void userRecord(boolean beforeBoundary, int size) {
    if (beforeBoundary) {
      before++;
    } else {
      after++;
    }
    bytes += size;
  }

  void plain() {
    plain++;
  }

  void aggregate(int size) {
    aggregates++;
    members += size;
  }

  SeedSummary summary(SeedPlan plan, int shards) {
    return new SeedSummary(
        plan.stream(),
        plan.boundary(),
        before,
        after,
        plain + aggregates,
        aggregates,
        members,
        shards,
        bytes);
  }
}
