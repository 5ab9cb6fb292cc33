package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kafka.TransactionalIds;
import io.cutover.rig.CopyOracle;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a topic may hold, and what not, when a copy begins. */
class FreshStartITCase {

  private static Cluster cluster;

  @TempDir private Path dir;

  private CopyRig rig;
  private Instant t;

  @BeforeAll
  static void startCluster() {
    cluster = new Cluster(1, 2);
  }

  @AfterAll
  static void stopCluster() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void fill() {
    rig = new CopyRig(dir, 1, 2);
    t = rig.now().minus(Duration.ofMinutes(5));
    String shard = rig.stream().shards().get(0).id();
    rig.producer().fill(shard, 30, t.minusSeconds(60), Duration.ofSeconds(1));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void topicThatHoldsRecordsOfThisCopyIsRefused() throws Exception {
    cluster.run(rig.graph(t, 1));

    assertThat(cluster.runToRefusal(rig.graph(t, 1)))
        .hasMessageContaining("already holds records of this copy")
        .hasMessageContaining(rig.topic());
    rig.assertExact(t);
  }

  @Test
  void recordFromBeforeTThatIsNotThisCopysIsRefused() throws Exception {
    rig.writeLive(t.minusMillis(1));

    assertThat(cluster.runToRefusal(rig.graph(t, 1)))
        .hasMessageContaining("not this copy's")
        .hasMessageContaining(t.minusMillis(1).toString());
    assertThat(rig.contents()).hasSize(1);
  }

  @Test
  void recordsOfAnotherPinFromBeforeTAreRefused() throws Exception {
    Instant earlier = t.minusSeconds(30);
    cluster.run(rig.graph(earlier, 1));
    String other = rig.job(earlier).terms().pin().id();

    assertThat(cluster.runToRefusal(rig.graph(t, 1)))
        .hasMessageContaining("not this copy's")
        .hasMessageContaining("pin " + other);
    rig.assertExact(earlier);
  }

  @Test
  void liveRecordsOfADualWriteFromTOnStayBesideTheCopy() throws Exception {
    rig.writeLive(t, t.plusSeconds(1), t.plusSeconds(60));

    cluster.run(rig.graph(t, 1));

    List<ConsumerRecord<byte[], byte[]>> contents = rig.contents();
    List<ConsumerRecord<byte[], byte[]>> live =
        contents.stream().filter(r -> r.headers().lastHeader("cutover.pin") == null).toList();
    assertThat(live).hasSize(3);
    CopyOracle.assertExact(
        contents.stream().filter(r -> !live.contains(r)).toList(), rig.producer(), t, 2);
  }

  @Test
  void openTransactionOfThisVeryCopyIsRefusedAndLeftAlone() throws Exception {
    String id = TransactionalIds.prefix(rig.job(t).terms().pin().id(), rig.topic()) + "-0-1";
    try (KafkaProducer<byte[], byte[]> running = producer(Optional.of(id))) {
      running.initTransactions();
      running.beginTransaction();
      running.send(new ProducerRecord<>(rig.topic(), new byte[] {1})).get(30, TimeUnit.SECONDS);

      assertThat(cluster.runToRefusal(rig.graph(t, 1))).hasMessageContaining(id);
      running.commitTransaction();
    }
    assertThat(rig.contents()).hasSize(1);
  }

  @Test
  void openTransactionOfAnotherCopyHoldsNothingUp() throws Exception {
    CopyRig other = new CopyRig(dir.resolve("other"), 1, 2);
    String id = TransactionalIds.prefix(rig.job(t).terms().pin().id(), other.topic()) + "-0-1";
    try (other;
        KafkaProducer<byte[], byte[]> running = producer(Optional.of(id))) {
      running.initTransactions();
      running.beginTransaction();
      running.send(new ProducerRecord<>(other.topic(), new byte[] {1})).get(30, TimeUnit.SECONDS);

      cluster.run(rig.graph(t, 1));

      rig.assertExact(t);
      running.commitTransaction();
    }
  }

  private KafkaProducer<byte[], byte[]> producer(Optional<String> transactionalId) {
    return rig.client(transactionalId);
  }
}
