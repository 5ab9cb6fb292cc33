package io.cutover.reconcile.recount;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.reconcile.recount.Sample.Bucket;
import io.cutover.tally.Tally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SampleTest {

  private static Tally tally(long count) {
    return new Tally(count, 0, 0, 0, "1", "1");
  }

  private static Map<String, SortedMap<Long, Tally>> tallies(
      Random random, List<String> shards, long from, long to) {
    Map<String, SortedMap<Long, Tally>> tallies = new TreeMap<>();
    for (String shard : shards) {
      for (long window = from; window < to; window++) {
        if (random.nextInt(3) == 0) {
          tallies.computeIfAbsent(shard, s -> new TreeMap<>()).put(window, tally(window + 100));
        }
      }
    }
    return tallies;
  }

  @Property(tries = 1000)
  void sampleHasNoDuplicatesAndAsManyOfEachKindAsItCan(
      @ForAll long seed, @ForAll @IntRange(max = 80) int n) {
    Random random = new Random(seed);
    List<String> listed = List.of("a", "b", "c").subList(0, random.nextInt(4));
    // Of windows and shards that may not be chosen there are tallies too.
    Map<String, SortedMap<Long, Tally>> tallies =
        tallies(random, List.of("a", "b", "c", "d"), -30, 5);
    long from = -20;
    long to = from + random.nextInt(20);
    List<Bucket> sample = Sample.of(random, n, tallies, listed, from, to);
    Set<List<Object>> places = new HashSet<>();
    for (Bucket bucket : sample) {
      assertThat(listed).contains(bucket.shard());
      assertThat(bucket.window()).isBetween(from, to - 1);
      assertThat(places.add(List.of(bucket.shard(), bucket.window()))).isTrue();
      assertThat(bucket.tally())
          .isEqualTo(
              Optional.ofNullable(
                  tallies.getOrDefault(bucket.shard(), new TreeMap<>()).get(bucket.window())));
    }
    long all = listed.size() * (to - from);
    long full =
        listed.stream()
            .filter(tallies::containsKey)
            .mapToLong(shard -> tallies.get(shard).subMap(from, to).size())
            .sum();
    long ofFull = sample.stream().filter(bucket -> bucket.tally().isPresent()).count();
    assertThat(sample).hasSize((int) Math.min(n, all));
    assertThat(ofFull).isGreaterThanOrEqualTo(Math.min(full, n / 2));
    assertThat(sample.size() - ofFull).isGreaterThanOrEqualTo(Math.min(all - full, n / 2));
  }

  @Example
  void everyWindowCanBeChosen() {
    Random random = new Random(7);
    List<String> shards = List.of("a", "b");
    Map<String, SortedMap<Long, Tally>> tallies = tallies(random, shards, 0, 10);
    Set<List<Object>> chosen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      for (Bucket bucket : Sample.of(random, 2, tallies, shards, 0, 10)) {
        chosen.add(List.of(bucket.shard(), bucket.window()));
      }
    }
    assertThat(chosen).hasSize(20);
  }

  /** A year of minutes over ten thousand shards. */
  @Example
  void windowsAreNotSpreadOutInMemory() {
    List<String> shards = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      shards.add("s%05d".formatted(i));
    }
    assertThat(Sample.of(new Random(7), 20, Map.of(), shards, -525_600, 0))
        .hasSize(20)
        .allMatch(bucket -> bucket.tally().isEmpty());
  }
}
