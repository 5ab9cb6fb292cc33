package io.cutover.reconcile.side;

import static io.cutover.reconcile.plan.Plans.SHARD;
import static io.cutover.reconcile.plan.Plans.T;
import static io.cutover.reconcile.plan.Plans.in;
import static io.cutover.reconcile.side.Written.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kafka.KafkaOptions;
import io.cutover.reconcile.plan.Plans;
import io.cutover.report.Ledgers;
import io.cutover.tally.Tallies;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StreamSideTest {

  private final Plans plans = new Plans();

  @Test
  void recordsAreTalliedByShardAndWindow() throws Exception {
    Side side =
        Counted.stream(
            plans.plan(),
            List.of(record("1", in(-3)), record("2", in(-1)), record("b", "1", in(-1))),
            List.of());
    Tallies tallies = side.stream().tallies();
    assertThat(tallies.byShard().get(SHARD).keySet()).containsExactly(-3L, -1L);
    assertThat(tallies.byShard().get("b").get(-1L).count()).isEqualTo(1);
    assertThat(side.topic()).isEqualTo(TopicAccount.nothing());
  }

  @Test
  void recordsOutsideOfTheSpanAreNotTallied() throws Exception {
    plans.from = Optional.of(T.minusSeconds(7200));
    plans.to = Optional.of(T.minusSeconds(3600));
    Side side =
        Counted.stream(
            plans.plan(),
            List.of(record("1", in(-3)), record("2", in(-2)), record("3", in(-1))),
            List.of());
    assertThat(side.stream().tallies().byShard().get(SHARD).keySet()).containsExactly(-2L);
  }

  @Test
  void recordFromBeforeTheBackfillStartIsPartOfTheWhole() throws Exception {
    Side side = Counted.stream(plans.plan(), List.of(record("1", in(-30))), List.of());
    assertThat(side.stream().tallies().byShard().get(SHARD).keySet()).containsExactly(-30L);
  }

  @Test
  void keysAreTalliedAsTheCopyHasThem() throws Exception {
    var records = List.of(record("1", in(-3)));
    Side keyed = Counted.stream(plans.plan(), records, List.of());
    plans.key = KafkaOptions.Key.NONE;
    Side keyless = Counted.stream(plans.plan(), records, List.of());
    assertThat(keyless.stream().tallies()).isNotEqualTo(keyed.stream().tallies());
    TopicRecord copy = Written.withKey(Optional.empty(), Written.copy(records.get(0), 0));
    assertThat(keyless.stream().tallies())
        .isEqualTo(Counted.topic(plans.plan(), List.of(copy)).topic().tallies());
  }

  @Test
  void ledgersOfTheShardsAreHandedOn() throws Exception {
    Side side = Counted.stream(plans.plan(), List.of(), List.of(Ledgers.FULL, Ledgers.UNREAD));
    assertThat(side.stream().ledgers()).containsExactly(Ledgers.FULL, Ledgers.UNREAD);
    assertThat(side.stream().records()).isEqualTo(Ledgers.FULL.records());
  }
}
