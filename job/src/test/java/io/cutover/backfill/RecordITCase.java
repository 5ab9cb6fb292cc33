package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.kpl.KplBlob;
import io.cutover.kpl.KplBlob.Member;
import io.cutover.rig.CopyOracle;
import io.cutover.rig.Producer.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a record looks like, it arrives as it was written. */
class RecordITCase {

  private static final Duration LONGER_THAN_SLACK = Duration.ofMinutes(5);
  private static final byte[] DATA = {1, 2, 3};

  private static Cluster cluster;

  @TempDir private Path dir;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(1, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @Test
  void recordsOfOneAndOfTenMebibytesFitATopicThatIsSizedForThem() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      String shard = rig.stream().shards().get(0).id();
      rig.stream().maxRecordSizeKiB(10_240);
      for (int mebibytes : new int[] {1, 10, 1, 1, 10, 1}) {
        byte[] incompressible = new byte[mebibytes << 20];
        new Random(mebibytes).nextBytes(incompressible);
        rig.producer().put(shard, Optional.of("big"), incompressible, t.minusSeconds(1));
      }
      sizeFor(rig, 11 << 20);

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
    }
  }

  @Test
  void payloadsAndKeysAtTheirExtremesArriveVerbatim() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 4)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      String shard = rig.stream().shards().get(0).id();
      Instant arrival = t.minusMillis(1);
      List<String> keys =
          List.of(
              "",
              "x".repeat(256),
              "\u00e4\u00f6\u00fc \u6f22\u5b57",
              "\ud83d\ude00".repeat(64),
              "\0",
              " ");
      for (String key : keys) {
        rig.producer().put(shard, Optional.of(key), DATA, arrival);
        rig.producer().put(shard, Optional.of(key), new byte[0], arrival);
      }
      rig.producer()
          .aggregate(
              shard,
              keys.stream()
                  .flatMap(
                      key ->
                          List.of(
                              new Member(key, Optional.empty(), new byte[0]),
                              new Member(key, Optional.of("12345678901234567890"), DATA),
                              new Member(key, Optional.of("no number"), DATA))
                              .stream())
                  .toList(),
              arrival);

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
    }
  }

  @Test
  void malformedAggregatesOfEveryKindArePassedThroughWholeAndCounted() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      String shard = rig.stream().shards().get(0).id();
      Map<String, byte[]> malformed = KplBlob.malformed();
      malformed.values().forEach(blob -> rig.producer().blob(shard, blob, t.minusMillis(1)));
      byte[] nested = KplBlob.of(List.of(new Member("inner", Optional.empty(), DATA)));
      rig.producer()
          .aggregate(
              shard, List.of(new Member("outer", Optional.empty(), nested)), t.minusMillis(1));

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
      JsonNode totals = rig.report().path("totals");
      assertThat(totals.path("malformed").asInt()).isEqualTo(malformed.size());
      assertThat(totals.path("aggregates").asInt()).isEqualTo(1);
      assertThat(totals.path("records").asInt()).isEqualTo(malformed.size() + 1);
    }
  }

  @Test
  void copyWithoutKeysHasNoneWhateverTheRecordsHad() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      String shard = rig.stream().shards().get(0).id();
      for (int i = 0; i < 20; i++) {
        Optional<String> key = i % 2 == 0 ? Optional.empty() : Optional.of("ignored");
        rig.producer().put(shard, key, new byte[] {(byte) i}, t.minusMillis(1));
      }
      rig.set("kafka.key", "none");

      cluster.run(rig.graph(t, 1));

      List<Written> keyless =
          rig.producer().written().stream()
              .map(
                  w ->
                      new Written(
                          w.shardId(),
                          w.sequence(),
                          w.subSequence(),
                          Optional.empty(),
                          w.explicitHashKey(),
                          w.arrival(),
                          w.data()))
              .toList();
      CopyOracle.assertExact(rig.contents(), keyless, rig.stream(), t, 2);
    }
  }

  @Test
  void recordWithoutAKeyIsRefusedByNameWhereKeysAreCopied() throws Exception {
    try (CopyRig rig = new CopyRig(dir, 1, 2)) {
      Instant t = rig.now().minus(LONGER_THAN_SLACK);
      String shard = rig.stream().shards().get(0).id();
      rig.producer().put(shard, Optional.of("k"), DATA, t.minusMillis(2));
      rig.producer().put(shard, Optional.empty(), DATA, t.minusMillis(1));

      assertThat(cluster.runToRefusal(rig.graph(t, 1)))
          .hasMessageContaining(shard)
          .hasMessageContaining(rig.producer().written().get(1).sequence())
          .hasMessageContaining("kafka.key = none");
      assertThat(rig.reportIfAny()).isEmpty();
    }
  }

  private void sizeFor(CopyRig rig, int bytes) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", rig.broker().bootstrapServers()))) {
      ConfigEntry largest = new ConfigEntry("max.message.bytes", Integer.toString(bytes));
      admin
          .incrementalAlterConfigs(
              Map.of(
                  new ConfigResource(ConfigResource.Type.TOPIC, rig.topic()),
                  List.of(new AlterConfigOp(largest, AlterConfigOp.OpType.SET))))
          .all()
          .get(30, TimeUnit.SECONDS);
    }
    rig.set("kafka.client.properties", clientProperties(bytes).toString());
  }

  private Path clientProperties(int bytes) throws IOException {
    return Files.writeString(
        dir.resolve("client.properties"),
        "max.request.size=" + bytes + "\nbuffer.memory=" + 4L * bytes + "\n");
  }
}
