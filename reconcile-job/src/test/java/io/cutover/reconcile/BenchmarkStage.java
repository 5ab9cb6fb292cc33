package io.cutover.reconcile;

import io.cutover.backfill.BenchmarkCopy;
import io.cutover.backfill.BenchmarkServer;
import io.cutover.backfill.BenchmarkSetting;
import io.cutover.backfill.Cluster;
import io.cutover.local.kafka.KafkaBroker;
import java.time.Duration;
import org.apache.flink.runtime.jobmaster.JobResult;

/** A stream, and the copy that the backfill made of it. */
record BenchmarkStage(BenchmarkSetting setting, BenchmarkServer server, BenchmarkCopy copy)
    implements AutoCloseable {

  private static final int SHARDS = 4;
  private static final int PAGE = 10_000;
  private static final int PARALLELISM = 2;
  private static final Duration SPAN = Duration.ofDays(6);

  /** Fills a stream with so many records of 1 KB, spread over six days, and copies it. */
  static BenchmarkStage of(int records, KafkaBroker broker) throws Exception {
    int perShard = records / SHARDS;
    BenchmarkSetting setting =
        new BenchmarkSetting(
            "4 shards, full pages",
            SHARDS,
            perShard,
            SPAN.toMillis() / perShard,
            PAGE,
            0,
            PARALLELISM);
    BenchmarkServer server = BenchmarkServer.start(setting);
    try {
      BenchmarkCopy copy = new BenchmarkCopy(server.endpoint(), broker);
      try (Cluster cluster = new Cluster(1, PARALLELISM)) {
        JobResult result = cluster.runLong(copy.graph(PARALLELISM));
        result.toJobExecutionResult(BenchmarkStage.class.getClassLoader());
      }
      copy.requireRecords(setting.records());
      return new BenchmarkStage(setting, server, copy);
    } catch (Exception failed) {
      server.close();
      throw failed;
    }
  }

  @Override
  public void close() throws Exception {
    copy.close();
    server.close();
  }
}
