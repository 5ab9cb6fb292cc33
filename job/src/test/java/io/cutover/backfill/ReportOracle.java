package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.rig.Producer;
import io.cutover.rig.Producer.Written;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says what the report must say of each shard, from what was written. */
final class ReportOracle {

  private record Numbers(long records, long bytes) {

    Numbers plus(int moreBytes) {
      return new Numbers(records + 1, bytes + moreBytes);
    }
  }

  private ReportOracle() {}

  /** The user records that belong to the copy. */
  static List<Written> before(Instant t, Producer producer) {
    return producer.written().stream().filter(record -> record.arrival().isBefore(t)).toList();
  }

  /** The copy is complete, with every shard of the stream and what it held from before T. */
  static void assertComplete(JsonNode report, Producer producer, Instant t) {
    Map<String, Numbers> expected = new TreeMap<>();
    producer.stream().shards().forEach(shard -> expected.put(shard.id(), new Numbers(0, 0)));
    before(t, producer)
        .forEach(
            record ->
                expected.computeIfPresent(
                    record.shardId(), (id, sum) -> sum.plus(record.data().length)));
    Map<String, Numbers> told = new TreeMap<>();
    for (JsonNode shard : report.path("shards")) {
      told.put(
          shard.path("shard").asText(),
          new Numbers(shard.path("records").asLong(), shard.path("bytes").asLong()));
    }
    assertThat(report.path("state").asText()).isEqualTo("complete");
    assertThat(told).as("what the report says of each shard").isEqualTo(expected);
  }
}
