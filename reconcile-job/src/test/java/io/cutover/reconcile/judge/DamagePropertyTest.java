package io.cutover.reconcile.judge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import io.cutover.reconcile.plan.Plans;
import io.cutover.reconcile.side.TopicRecord;
import io.cutover.reconcile.side.Written;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.FindingCode;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Random damage to random copies, against a comparison of maps of lists. */
class DamagePropertyTest {

  private enum Damage {
    NONE,
    DROPPED,
    DOUBLED,
    TRIPLED,
    VALUE,
    KEY,
    LATER_BY_ONE,
    MOVED_TO_ANOTHER_WINDOW,
    MOVED_OUT_OF_THE_SPAN,
    MISPLACED,
    DOUBLED_AND_ALTERED,
    OF_AN_UNKNOWN_ORIGIN
  }

  private record One(int shard, int window, Damage damage) {}

  @Provide
  Arbitrary<List<One>> copies() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(-4, -1),
            Arbitraries.frequencyOf(
                Tuple.of(12, Arbitraries.just(Damage.NONE)),
                Tuple.of(4, Arbitraries.of(Damage.class))))
        .as(One::new)
        .list()
        .ofMaxSize(30);
  }

  private static String shard(int number) {
    return number == 0 ? Plans.SHARD : "shard-" + number;
  }

  private static Case given(List<One> records) {
    Case given = new Case();
    given.inOrder = false; // order is not what is compared here
    for (int i = 0; i < records.size(); i++) {
      One one = records.get(i);
      UserRecord record =
          Written.record(shard(one.shard()), Integer.toString(100 + i), Plans.in(one.window()) + i);
      given.stream.add(record);
      damage(given, given.copyOf(record), one.damage());
    }
    return given;
  }

  private static void damage(Case given, TopicRecord copy, Damage damage) {
    Optional<byte[]> other = Optional.of("other".getBytes(UTF_8));
    switch (damage) {
      case NONE -> {}
      case DROPPED -> given.topic.remove(copy);
      case DOUBLED -> given.again(copy);
      case TRIPLED -> {
        given.again(copy);
        given.again(copy);
      }
      case VALUE -> given.replace(copy, Written.withValue(other, copy));
      case KEY -> given.replace(copy, Written.withKey(Optional.empty(), copy));
      case LATER_BY_ONE -> given.replace(copy, Written.at(copy.timestamp() + 1, copy));
      case MOVED_TO_ANOTHER_WINDOW ->
          given.replace(copy, Written.at(copy.timestamp() - 3_600_000, copy));
      case MOVED_OUT_OF_THE_SPAN ->
          given.replace(copy, Written.at(copy.timestamp() + 36_000_000, copy));
      case MISPLACED -> given.replace(copy, Written.misplaced(copy));
      case DOUBLED_AND_ALTERED -> {
        TopicRecord more = given.again(copy);
        given.replace(more, Written.withValue(other, more));
      }
      case OF_AN_UNKNOWN_ORIGIN -> {
        Origin origin = copy.origin().orElseThrow();
        given.copyOf(
            Written.record(origin.shardId(), "7" + origin.sequenceNumber(), copy.timestamp()));
      }
    }
  }

  @Property(tries = 300)
  void verdictCountsWhatANaiveComparisonDoes(@ForAll("copies") List<One> records) throws Exception {
    Case given = given(records);
    Map<Kind, Long> naive = naive(given);
    VerdictReport report = given.verdict();
    Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    report
        .differences()
        .counts()
        .forEach(
            (kind, count) ->
                counts.merge(kind == Kind.STRAGGLER ? Kind.MISSING : kind, count, Long::sum));
    assertThat(counts).isEqualTo(naive);
    assertThat(report.buckets()).allMatch(VerdictReport.Bucket::named);
    assertThat(Case.codes(report)).doesNotContain(FindingCode.RECORDS_UNNAMED);
    assertThat(mismatch(report)).isEqualTo(!naive.isEmpty());
  }

  @Property(tries = 100)
  void noRecordIsNamedTwice(@ForAll("copies") List<One> records) throws Exception {
    List<Difference> told = new ArrayList<>();
    given(records).named(told);
    assertThat(told).extracting(Difference::origin).doesNotHaveDuplicates();
  }

  /** Order aside. */
  private static boolean mismatch(VerdictReport report) {
    return report.findings().stream()
        .filter(finding -> finding.code() != FindingCode.ORDER_VIOLATED)
        .anyMatch(finding -> finding.forces().equals(Optional.of(Verdict.MISMATCH)));
  }

  private static Map<Kind, Long> naive(Case given) {
    Map<Origin, List<TopicRecord>> copies = new HashMap<>();
    given.topic.forEach(
        copy ->
            copies.computeIfAbsent(copy.origin().orElseThrow(), o -> new ArrayList<>()).add(copy));
    Map<Kind, Long> naive = new EnumMap<>(Kind.class);
    for (UserRecord record : given.stream) {
      List<TopicRecord> found =
          Objects.requireNonNullElse(copies.remove(record.origin()), List.of());
      if (found.isEmpty()) {
        naive.merge(Kind.MISSING, 1L, Long::sum);
      } else if (!found.stream().allMatch(copy -> same(record, copy))) {
        naive.merge(Kind.ALTERED, 1L, Long::sum);
      } else if (found.size() > 1) {
        naive.merge(Kind.DOUBLED, 1L, Long::sum);
      }
    }
    copies.keySet().forEach(origin -> naive.merge(Kind.EXTRA, 1L, Long::sum));
    return naive;
  }

  private static boolean same(UserRecord record, TopicRecord copy) {
    TopicRecord right = Written.copy(record, 0);
    return right.partition() == copy.partition()
        && right.timestamp() == copy.timestamp()
        && right.key().map(Arrays::toString).equals(copy.key().map(Arrays::toString))
        && right.value().map(Arrays::toString).equals(copy.value().map(Arrays::toString));
  }
}
