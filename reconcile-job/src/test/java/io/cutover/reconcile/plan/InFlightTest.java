package io.cutover.reconcile.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kpl.Origin;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pins;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Finding;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.report.ExpiredUnread;
import io.cutover.source.Mark;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class InFlightTest {

  private static Plan submitted(Plan plan) throws Exception {
    return InstantiationUtil.deserializeObject(
        InstantiationUtil.serializeObject(plan), InFlightTest.class.getClassLoader());
  }

  private static void assertSurvives(Plan plan) throws Exception {
    Plan there = submitted(plan);
    assertThat(there.facts()).isEqualTo(plan.facts());
    assertThat(there.span()).isEqualTo(plan.span());
    assertThat(there.pin()).isEqualTo(plan.pin());
    assertThat(there.config().toMap()).isEqualTo(plan.config().toMap());
    assertThat(there.kafka().consumer()).isEqualTo(plan.kafka().consumer());
  }

  @Test
  void planSurvivesItsSubmission() throws Exception {
    assertSurvives(new Plans().plan());
  }

  @Test
  void planWithEverythingInItSurvivesItsSubmission() throws Exception {
    Plans plans = new Plans().tolerance(7).evidence(ReconcileOptions.Evidence.REREAD);
    plans.pin = Pins.resharded();
    plans.key = KafkaOptions.Key.NONE;
    plans.from = Optional.of(Plans.T.minusSeconds(5000));
    plans.to = Optional.of(Plans.T.minusMillis(1));
    plans.readFrom = Instant.parse("2026-02-28T23:59:59.123456789Z");
    plans.retention = Duration.ofNanos(86_400_000_000_001L);
    plans.expiredUnread = Optional.of(new ExpiredUnread.Span(Plans.START, Plans.T));
    plans.reported =
        List.of(
            Plans.copied("a"), Plans.copied("b", new Mark("9", Plans.in(-1)), new Mark("99", -1)));
    plans.listing(Pins.resharded().shards().toArray(Shard[]::new));
    plans.findings =
        List.of(
            Finding.of(FindingCode.RETENTION_SHORT, Optional.empty(), 1, "\u00e4 \"text\"\n"),
            new Finding(
                FindingCode.OPEN_TRANSACTION,
                Optional.of(Verdict.INCONCLUSIVE),
                Long.MAX_VALUE,
                "",
                List.of("one", "")));
    assertSurvives(plans.plan());
  }

  @Test
  void emptyListsStayEmpty() throws Exception {
    Plans plans = new Plans().listing();
    plans.reported = List.of();
    assertSurvives(plans.plan());
  }

  @Test
  void talliesKeepEveryDigit() throws Exception {
    Tallies tallies = new Tallies();
    tallies.add("a", Long.MIN_VALUE, new Tally(1, 0, -1, Long.MIN_VALUE, "0", "9".repeat(129)));
    tallies.add("a", -1, new Tally(Long.MAX_VALUE, Long.MAX_VALUE, 1, -1, "1", "1"));
    tallies.add("b", 3, new Tally(2, 5, 0, 0, "1", "10"));
    assertThat(Travelled.of(Tallies.class, tallies)).isEqualTo(tallies);
    assertThat(Travelled.of(Tallies.class, new Tallies())).isEqualTo(new Tallies());
  }

  /** A week in windows of a second, which the pin allows. */
  @Test
  void manyWindowsOfOneShardTravel() throws Exception {
    Tallies tallies = new Tallies();
    String sequence = "49590338271490256608559692538361571095921575989136588898";
    for (long window = -604_800; window < 0; window += 4) {
      tallies.add("a", window, new Tally(1, 1, window, window, sequence, sequence));
    }
    assertThat(Travelled.of(Tallies.class, tallies)).isEqualTo(tallies);
  }

  @Test
  void differencesTravelWhateverIsAbsentOfThem() throws Exception {
    Difference none =
        new Difference(
            Difference.Kind.WITHOUT_ORIGIN,
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            List.of());
    Difference full =
        new Difference(
            Difference.Kind.ALTERED,
            EnumSet.allOf(Difference.Part.class),
            Optional.of(new Origin("a", "9".repeat(56), OptionalInt.of(0))),
            Optional.of(Plans.T),
            List.of(
                new Difference.Place(0, 0, Instant.EPOCH),
                new Difference.Place(3, Long.MAX_VALUE, Instant.ofEpochMilli(Long.MAX_VALUE))));
    Difference plain =
        new Difference(
            Difference.Kind.MISSING,
            Set.of(),
            Optional.of(new Origin("a", "1", OptionalInt.empty())),
            Optional.of(Instant.ofEpochMilli(-1)),
            List.of());
    for (Difference difference : List.of(none, full, plain)) {
      assertThat(Travelled.of(Difference.class, difference)).isEqualTo(difference);
    }
  }

  @Test
  void whatDoesNotArriveAsItWasSentIsRefused() {
    byte[] bytes = InFlight.bytes(new TopicOffsets(1, 2, 3));
    bytes[0] = '[';
    assertThatIllegalStateException()
        .isThrownBy(() -> InFlight.value(TopicOffsets.class, bytes))
        .withMessageContaining("TopicOffsets");
  }
}
